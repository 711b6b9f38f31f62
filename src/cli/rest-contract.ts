import type { RestProjectContract } from "../contract/project/project.js";
import { type RestContract, shippedContract } from "../contract/rest/rest-contract.js";
import { importOptional } from "./import-optional.js";

/**
 * Loads a contract in OpenAPI. Those that this package ships are compiled already. Rejects with a `UsageError` that names the mistakes of
 * the contract, or the missing packages.
 */
export async function restContract(project: RestProjectContract): Promise<RestContract> {
  const what = "Reading a contract";
  const { shippedContracts } = await importOptional(what, () => import("../contract/project/read-project.js"));
  if (shippedContracts().some((one) => one.kind === "rest" && one.openapi === project.openapi))
    return shippedContract(project.name);
  const { loadRestContract } = await importOptional(what, () => import("../behaviour/load-rest-contract.js"));
  return loadRestContract(project);
}
