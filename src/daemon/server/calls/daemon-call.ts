import type { Code } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import type { DaemonRpc } from "../../../contract/daemon/rpcs.js";
import type { DaemonProtocol } from "../../create-daemon-client.js";

/** A call that has ended. It has nothing of what was in the messages. */
export interface DaemonCall {
  /** Such as `ProxySubscriptions/SelectNode`. */
  readonly rpc: DaemonRpc;
  readonly protocol: DaemonProtocol;
  /** `ok`, or the code of the error in snake case, such as `invalid_argument`. */
  readonly code: string;
  /** From the headers of the request until the answer is ready to be sent, in milliseconds. */
  readonly durationMs: number;
}

/** Who wants to know what happens to calls. */
export interface CallObserver {
  /** Called once for each call of the contract's RPCs, when it has ended. */
  readonly onCall?: (call: DaemonCall) => void;
  /** Called with what a handler throws that is no `ConnectError`, and when its reply cannot be encoded. The caller never sees it. */
  readonly onFault?: (error: unknown, rpc: DaemonRpc) => void;
}

/** Notes the end of a call; undefined is success. */
export type EndCall = (code: Code | undefined) => void;

/** What the server tells observers. None of it ever throws. */
export interface CallReports {
  /** A call begins. */
  readonly begin: (rpc: DaemonRpc, protocol: DaemonProtocol) => EndCall;
  readonly fault: (error: unknown, rpc: DaemonRpc) => void;
}

const nothing = () => {};

/** Tells an observer about calls. An observer that throws does not harm the call; what `onCall` throws is a fault. */
export function createCallReports({ onCall, onFault }: CallObserver): CallReports {
  function fault(error: unknown, rpc: DaemonRpc): void {
    try {
      onFault?.(error, rpc);
    } catch {
      // There is nobody left to tell.
    }
  }

  function begin(rpc: DaemonRpc, protocol: DaemonProtocol): EndCall {
    if (onCall === undefined) return nothing;
    const start = performance.now();
    return (code) => {
      try {
        const name = code === undefined ? "ok" : codeToString(code);
        const durationMs = Math.round((performance.now() - start) * 1000) / 1000;
        onCall({ rpc, protocol, code: name, durationMs });
      } catch (error) {
        fault(error, rpc);
      }
    };
  }

  return { begin, fault };
}
