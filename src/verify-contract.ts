import { withDerivedCases } from "./behaviour/derived-rpc/add-derived-cases.js";
import { type LoadOptions, loadRestContract } from "./behaviour/load-rest-contract.js";
import { chatContract } from "./chat/contract.js";
import { findContract, isShipped } from "./contract/project/read-project.js";
import type { RestContract } from "./contract/rest/rest-contract.js";
import type { RpcContract } from "./contract/rpc/contract.js";
import { loadRpcContract } from "./contract/rpc/load-rpc-contract.js";
import { loadDaemonContract } from "./daemon/daemon-contract.js";
import type { VerifyReport } from "./report/model/verify-report.js";
import { type VerifyRestOptions, verifyRest } from "./verify/rest/verify-rest.js";
import { type VerifyRpcOptions, verifyRpc } from "./verify/rpc/verify-rpc.js";

/** `rest` for contracts in OpenAPI, `rpc` for those in Protobuf. */
export type ContractKind = "rest" | "rpc";

/** A contract that servers can be verified against. It is loaded when a run needs it. */
export interface Contract<Kind extends ContractKind = ContractKind> {
  readonly kind: Kind;
  readonly load: (options?: LoadOptions) => Promise<Kind extends "rest" ? RestContract : RpcContract>;
}

/** The options of a run, by the kind of the contract. */
export type VerifyOptions<Kind extends ContractKind = ContractKind> = Kind extends "rest"
  ? Omit<VerifyRestOptions, "url">
  : Omit<VerifyRpcOptions, "address">;

/** The contract of the chat service. */
export const chat: Contract<"rest"> = { kind: "rest", load: chatContract };

/** The contract of the proxy daemon. */
export const daemon: Contract<"rpc"> = { kind: "rpc", load: loadDaemonContract };

/** A contract that an `accord.yaml` lists; by default, that of the working directory. Throws for mistakes of it and for unknown names. */
export function contractOf(name: string, project?: string): Contract<"rest"> | Contract<"rpc"> {
  const found = findContract(name, project);
  if (found.kind === "rest") return { kind: "rest", load: (options) => loadRestContract(found, options) };
  const load = async () => (isShipped(found) ? loadDaemonContract() : withDerivedCases(await loadRpcContract(found)));
  return { kind: "rpc", load };
}

/**
 * Checks a server against a contract. `target` is the URL of its API, or the address of a server of RPCs, such as `unix:/run/daemon.sock`,
 * which must be able to fetch from the loopback interface if cases serve hosts.
 *
 * Rejects with a `CouldNotRunError` if the target or an option is malformed, the server is unreachable, the selection matches nothing, or
 * the signal was aborted before the first check was complete; and with an error whose message has a line for each mistake of the contract.
 */
export async function verify<Kind extends ContractKind>(
  contract: Contract<Kind>,
  target: string,
  options: VerifyOptions<NoInfer<Kind>>,
): Promise<VerifyReport>;
export async function verify(
  contract: Contract<"rest"> | Contract<"rpc">,
  target: string,
  options: VerifyOptions<ContractKind> = {},
): Promise<VerifyReport> {
  if (contract.kind === "rest") {
    const { values = {} } = options as VerifyOptions<"rest">;
    return verifyRest(await contract.load({ isDerived: true, values }), { ...options, url: target });
  }
  return verifyRpc(await contract.load(), { ...options, address: target });
}
