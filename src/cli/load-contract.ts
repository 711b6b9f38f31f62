import { UsageError } from "../base/usage-error.js";
import type { LoadOptions } from "../behaviour/load-rest-contract.js";
import type { RestContract } from "../contract/rest/rest-contract.js";
import type { RpcContract } from "../contract/rpc/contract.js";
import { projectContracts } from "./project-contracts.js";
import { restContract } from "./rest-contract.js";
import { rpcContract } from "./rpc-contract.js";

/** A contract of either kind. */
export type AnyContract =
  | { readonly kind: "rest"; readonly contract: RestContract }
  | { readonly kind: "rpc"; readonly contract: RpcContract };

/**
 * Loads a contract that a command names. `runsCode` says whether its checks in code, which are anybody's, may run. Rejects with a `UsageError`
 * that names the mistakes of the contract, or for an unknown name.
 */
export async function loadNamedContract(
  name: string,
  project: string | undefined,
  { runsCode, ...options }: { readonly runsCode: boolean } & LoadOptions,
): Promise<AnyContract> {
  // Those that this package ships need no optional packages, unlike projects.
  if (name === "chat" && project === undefined)
    return { kind: "rest", contract: await (await import("../chat/contract.js")).chatContract() };
  if (name === "daemon" && project === undefined)
    return { kind: "rpc", contract: await (await import("../daemon/daemon-contract.js")).loadDaemonContract() };
  const [found] = await projectContracts(name, project);
  if (found === undefined) throw new UsageError(`There is no contract ${name}`);
  if (found.kind === "rpc") return { kind: "rpc", contract: await rpcContract(found, { runsCode, ...options }) };
  const { checks, ...contract } = await restContract(found, options);
  return { kind: "rest", contract: runsCode && checks !== undefined ? { ...contract, checks } : contract };
}
