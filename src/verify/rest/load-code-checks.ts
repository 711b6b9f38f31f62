import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { UsageError } from "../../base/usage-error.js";
import type { ContractDocument } from "../../contract/rest/document.js";
import { listRules } from "../../contract/rest/rules.js";
import type { CodeCheck } from "../run/define-check.js";
import { loadWithin } from "../run/loop-watch.js";

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

const loaded = new Map<string, Promise<CodeCheck[]>>();

/** Loads the checks in code of a folder. Reads its files once. */
export function loadCodeChecks(folder: URL): Promise<CodeCheck[]> {
  const loading = loaded.get(folder.href) ?? importChecks(folder);
  loaded.set(folder.href, loading);
  return loading;
}

async function importChecks(folder: URL): Promise<CodeCheck[]> {
  const files = (await readdir(folder)).filter((name) => /(?<!\.d)\.[cm]?[jt]s$/.test(name)).sort();
  const modules: object[] = await loadWithin(() =>
    Promise.all(files.map((name) => import(new URL(name, folder).href))),
  ).catch((error: unknown) => {
    throw new UsageError(`The checks in ${fileURLToPath(folder)} cannot be loaded: ${describe(error)}`);
  });
  return modules.flatMap((module) => Object.values(module).filter(isCodeCheck));
}

function isCodeCheck(value: unknown): value is CodeCheck {
  return typeof value === "object" && value !== null && "run" in value;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
