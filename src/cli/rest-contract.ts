import type { RestProjectContract } from "../contract/project/project.js";
import { type RestContract, shippedContract } from "../contract/rest/rest-contract.js";
import { importOptional } from "./import-optional.js";

/**
 * Loads a contract in OpenAPI. Those that this package ships are compiled already. Rejects with a `UsageError` that names the mistakes of
 * the contract, or the missing packages.
 */
export async function restContract(project: RestProjectContract): Promise<RestContract> {
  const [{ shippedContracts }, { loadRestContract }] = await importOptional("Reading a contract", () =>
    Promise.all([import("../contract/project/read-project.js"), import("../verify/rest/load-rest-contract.js")]),
  );
  const isShipped = shippedContracts().some((one) => one.kind === "rest" && one.openapi === project.openapi);
  return isShipped ? shippedContract(project.name) : loadRestContract(project);
}
