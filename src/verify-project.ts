import { loadRestContract } from "./behaviour/load-rest-contract.js";
import { findContract, isShipped, ProjectError } from "./contract/project/read-project.js";
import { loadRpcContract } from "./contract/rpc/load-rpc-contract.js";
import { loadDaemonContract } from "./daemon/daemon-contract.js";
import type { VerifyReport } from "./report/model/verify-report.js";
import { type VerifyRestOptions, verifyRest } from "./verify/rest/verify-rest.js";
import { type VerifyRpcOptions, verifyRpc } from "./verify/rpc/verify-rpc.js";

/** A contract of an `accord.yaml`. */
export interface NamedContract {
  /** The name of the contract. */
  readonly contract: string;
  /** The path of the `accord.yaml`. Defaults to that of the working directory. */
  readonly project?: string;
}

/** The contract in OpenAPI, the server to verify, and how. */
export type VerifyRestServerOptions = NamedContract & VerifyRestOptions;

/** The contract in Protobuf, the server to verify, and how. */
export type VerifyRpcServerOptions = NamedContract & VerifyRpcOptions;

/**
 * Checks a server against a contract in OpenAPI of a project. Rejects like `verifyRest`, and with an error whose message has a line for each
 * mistake of the project or the contract.
 */
export async function verifyRestServer({
  contract,
  project,
  ...options
}: VerifyRestServerOptions): Promise<VerifyReport> {
  const found = findContract(contract, project);
  if (found.kind !== "rest") throw new ProjectError(`${contract} is a contract in Protobuf: call verifyRpcServer`);
  const { values = {} } = options;
  return verifyRest(await loadRestContract(found, { isDerived: true, values }), options);
}

/** Checks a server against a contract in Protobuf of a project. Rejects like `verifyRpc`, and for mistakes like `verifyRestServer`. */
export async function verifyRpcServer({
  contract,
  project,
  ...options
}: VerifyRpcServerOptions): Promise<VerifyReport> {
  const found = findContract(contract, project);
  if (found.kind !== "rpc") throw new ProjectError(`${contract} is a contract in OpenAPI: call verifyRestServer`);
  return verifyRpc(await (isShipped(found) ? loadDaemonContract() : loadRpcContract(found)), options);
}
