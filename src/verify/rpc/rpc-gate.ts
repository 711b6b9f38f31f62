import type { RpcContract } from "../../contract/rpc/contract.js";
import { readRpcName } from "../../contract/rpc/resources/rpc-verbs.js";
import type { CheckOutcome } from "../../report/model/check-result.js";
import type { Degree } from "../../report/model/degree.js";
import { createOperationMatcher } from "../create-selection.js";
import { type Effect, effectOf, excludedOutcome, withheldOutcome } from "../run/permission.js";
import { presenceCheck } from "../run/presence-check.js";

/** Decides what a run sends to a server of RPCs, before it sends anything. */
export interface RpcGate {
  readonly degree: Degree;
  /** Whether an RPC is not asked for. */
  readonly isExcluded: (rpc: string) => boolean;
  /** Whether the run may call an RPC at all. */
  readonly mayCall: (rpc: string) => boolean;
  /** The outcome of a check that is not sent. Undefined if it may be. */
  readonly withheld: (check: { readonly id: string; readonly calls: readonly string[] }) => CheckOutcome | undefined;
}

/** Creates the gate of a run. No run can undo an RPC that writes, and no message is known to be refused. */
export function createRpcGate(
  { isRead }: RpcContract,
  given: {
    readonly degree: Degree;
    readonly exclude: readonly string[];
    readonly exclusionOf: (id: string) => string | undefined;
  },
): RpcGate {
  const { degree, exclude, exclusionOf } = given;
  const matches = createOperationMatcher(exclude);
  const isClosed = (rpc: string) => matches({ id: rpc });
  const isWithin = (rpc: string) => degree === "everything" || isRead(rpc);
  return {
    degree,
    isExcluded: (rpc) => isClosed(rpc) || exclusionOf(presenceCheck(rpc).id) !== undefined,
    mayCall: (rpc) => isWithin(rpc) && !isClosed(rpc),
    withheld: ({ id, calls }) => {
      const exclusion = exclusionOf(id);
      if (exclusion !== undefined) return excludedOutcome(exclusion);
      return calls.every(isWithin) ? undefined : withheldOutcome("everything");
    },
  };
}

/** The effect of an RPC, by its kind and the verbs in its name. */
export function effectOfRpc(rpc: string, { isRead }: Pick<RpcContract, "isRead">): Effect {
  const [service = "", name = ""] = rpc.split("/");
  const isCreating = readRpcName(name, service)?.verb === "create";
  return isRead(rpc) ? 0 : effectOf(isCreating ? "POST" : "PUT", name);
}
