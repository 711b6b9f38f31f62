import type { RpcProjectContract } from "../contract/project/project.js";
import type { RpcContract } from "../contract/rpc/contract.js";
import { abbreviateList } from "../text/format-values.js";
import { importOptional } from "./import-optional.js";
import { printMessage } from "./print.js";

/**
 * Loads an RPC contract of a project, and names the RPCs on standard error that are unsupported. That which this package ships is compiled
 * already, so it needs no Buf. Only the checks in code of others need `runsCode`. With `isDerived`, it has the cases that follow from the
 * messages. Rejects with a `UsageError` that names the mistakes of the contract, or the missing packages.
 */
export async function rpcContract(
  { kind: _, ...source }: RpcProjectContract,
  { runsCode = false, isDerived = false }: { readonly runsCode?: boolean; readonly isDerived?: boolean } = {},
): Promise<RpcContract> {
  const [{ shippedContracts }, { loadRpcContract }] = await importOptional("Reading a contract", () =>
    Promise.all([import("../contract/project/read-project.js"), import("../contract/rpc/load-rpc-contract.js")]),
  );
  const { proto } = source;
  const isShipped = shippedContracts().some((one) => one.kind === "rpc" && one.proto === proto);
  if (isShipped) return (await import("../daemon/daemon-contract.js")).loadDaemonContract();
  const { checks, ...loaded } = await loadRpcContract(source);
  const coded = runsCode && checks !== undefined ? { ...loaded, checks } : loaded;
  const contract = isDerived
    ? (await import("../behaviour/derived-rpc/add-derived-cases.js")).withDerivedCases(coded)
    : coded;
  const streaming = contract.unsupported.map(({ rpc }) => rpc);
  if (streaming.length > 0)
    printMessage(`accord: not judged, since only unary RPCs can be called: ${abbreviateList(streaming)}`);
  return contract;
}
