import { UsageError } from "../base/usage-error.js";
import { chatContract } from "../chat/contract.js";
import type { RestProjectContract } from "../contract/project/project.js";
import type { RestContract } from "../contract/rest/rest-contract.js";
import { importOptional } from "./import-optional.js";
import { projectContracts } from "./project-contracts.js";

/**
 * Loads a contract in OpenAPI. Rejects with a `UsageError` that names the mistakes of
 * the contract, or the missing packages.
 */
export async function restContract(project: RestProjectContract): Promise<RestContract> {
  const { loadRestContract } = await importOptional(
    "Reading a contract",
    () => import("../behaviour/load-rest-contract.js"),
  );
  return loadRestContract(project);
}

/**
 * Loads the contract by which a command judges traffic. Rejects with a `UsageError` like `restContract`, and for a contract in Protobuf or an
 * unknown one.
 */
export async function trafficContract(name: string, project?: string): Promise<RestContract> {
  // Needs no optional packages, unlike projects.
  if (name === "chat" && project === undefined) return chatContract();
  const [contract] = await projectContracts(name, project);
  if (contract === undefined) throw new UsageError(`There is no contract ${name}`);
  if (contract.kind === "rest") return restContract(contract);
  throw new UsageError(
    `${name} is a contract in Protobuf. Of these, only the traffic of daemon can be judged. Verify the server instead: accord verify ${name} ADDRESS`,
  );
}
