import type { LoadOptions } from "../behaviour/load-rest-contract.js";
import type { RestProjectContract } from "../contract/project/project.js";
import { notJudged } from "../contract/rest/document.js";
import type { RestContract } from "../contract/rest/rest-contract.js";
import { importOptional } from "./import-optional.js";
import { warnNotJudged } from "./warn-not-judged.js";

/**
 * Loads a contract in OpenAPI. Rejects with a `UsageError` that names the mistakes of
 * the contract, or the missing packages.
 */
export async function restContract(project: RestProjectContract, options: LoadOptions = {}): Promise<RestContract> {
  const { loadRestContract } = await importOptional(
    "Reading a contract",
    () => import("../behaviour/load-rest-contract.js"),
  );
  const contract = await loadRestContract(project, options);
  warnNotJudged(contract.document[notJudged]);
  return contract;
}
