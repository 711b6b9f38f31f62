import { readdir } from "node:fs/promises";
import type { ContractDocument } from "../../contract/rest/document.js";
import { listRules } from "../../contract/rest/rules.js";
import type { CodeCheck } from "../run/define-check.js";

/** The checks in code beside the contract. */
const folder = new URL("../../../openapi/checks/", import.meta.url);

/** The checks in code whose rules a contract has. */
export async function codeChecksOf(contract: ContractDocument): Promise<CodeCheck[]> {
  const ids = new Set(listRules(contract).map(({ id }) => id));
  return (await loadCodeChecks()).filter(({ rules }) => rules.every((rule) => ids.has(rule)));
}

let loaded: Promise<CodeCheck[]> | undefined;

/** Loads the checks in code. Reads the files once. */
export function loadCodeChecks(): Promise<CodeCheck[]> {
  loaded ??= importChecks();
  return loaded;
}

async function importChecks(): Promise<CodeCheck[]> {
  const files = (await readdir(folder)).filter((name) => /(?<!\.d)\.[jt]s$/.test(name)).sort();
  const modules: object[] = await Promise.all(files.map((name) => import(new URL(name, folder).href)));
  return modules.flatMap((module) => Object.values(module).filter(isCodeCheck));
}

function isCodeCheck(value: unknown): value is CodeCheck {
  return typeof value === "object" && value !== null && "run" in value;
}
