import type { RpcContract } from "../../contract/rpc/contract.js";
import { readRpcName } from "../../contract/rpc/resources/rpc-verbs.js";
import { type Effect, effectOf } from "../run/permission.js";
import type { Operations } from "../run/removals.js";

/** The RPCs of a contract as a run sees operations: one that changes nothing is a GET, one that creates something a POST, any other a PUT. */
export function rpcOperations({ methods, isRead }: Pick<RpcContract, "methods" | "isRead">): Operations {
  return new Map(
    methods.map(({ rpc }) => {
      const request = { method: methodOf(rpc, isRead), path: nameOf(rpc), parameters: [] };
      return [rpc, { ...request, operationId: rpc, title: rpc, needsLogin: false, request }];
    }),
  );
}

/** The effect of an RPC, by its kind and the verbs in its name. */
export function effectOfRpc(rpc: string, { isRead }: Pick<RpcContract, "isRead">): Effect {
  return effectOf(methodOf(rpc, isRead), nameOf(rpc));
}

function methodOf(rpc: string, isRead: RpcContract["isRead"]): string {
  if (isRead(rpc)) return "GET";
  const [service = ""] = rpc.split("/");
  return readRpcName(nameOf(rpc), service)?.verb === "create" ? "POST" : "PUT";
}

function nameOf(rpc: string): string {
  return rpc.split("/").at(-1) ?? "";
}
