import { loadExports } from "../../base/load-exports.js";
import type { ContractDocument } from "../../contract/rest/document.js";
import { listRules } from "../../contract/rest/rules.js";
import type { CodeCheck } from "../run/define-check.js";

/** A check in code as of a feature level. */
export type CodeCheckAtLevel = CodeCheck & { readonly calls?: readonly string[] };

/** The checks in code of a folder whose rules a contract has as of a level. */
export async function codeChecksOf(
  folder: URL | undefined,
  contract: ContractDocument,
  level: number,
): Promise<CodeCheckAtLevel[]> {
  if (folder === undefined) return [];
  const ids = new Set(listRules(contract).map(({ id }) => id));
  return (await loadCodeChecks(folder))
    .filter(({ rules }) => rules.every((rule) => ids.has(rule)))
    .map(({ calls = [], ...check }) => ({
      ...check,
      calls: typeof calls === "function" ? calls(contract, level) : calls,
    }));
}

/** Loads the checks in code of a folder. Reads its files once. Rejects with a `UsageError` if they cannot be loaded. */
export async function loadCodeChecks(folder: URL): Promise<CodeCheck[]> {
  return (await loadExports(folder)).filter(isCodeCheck);
}

function isCodeCheck(value: unknown): value is CodeCheck {
  return typeof value === "object" && value !== null && "run" in value;
}
