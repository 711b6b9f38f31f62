import { fileURLToPath } from "node:url";
import { loadRestContract } from "../../src/behaviour/load-rest-contract.js";
import { findContract } from "../../src/contract/project/read-project.js";
import type { RestContract } from "../../src/contract/rest/rest-contract.js";
import type { JsonReport } from "../../src/report/model/json-report.js";

/** Loads a contract of a folder beside this file, as its `accord.yaml` says. */
export function loadExample(name: string): Promise<RestContract> {
  const project = findContract(name, fileURLToPath(new URL(`${name}/accord.yaml`, import.meta.url)));
  if (project.kind !== "rest") throw new Error(`${name} is no contract in OpenAPI`);
  return loadRestContract(project);
}

/** What a report blames: broken rules, and operations that are missing, have a broken rule, or failed a check. */
export function blamed({ rules, checks, operations = [] }: JsonReport): string[] {
  const broken = rules.filter(({ state }) => state === "broken" || state === "deviating").map(({ id }) => id);
  return [
    ...broken,
    ...checks.filter(({ verdict }) => verdict === "failed").map(({ operation }) => operation),
    ...operations
      .filter(({ presence, rules: own }) => presence === "not-implemented" || own.some((id) => broken.includes(id)))
      .map(({ id }) => id),
  ];
}
