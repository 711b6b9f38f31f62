import type { Code } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import type { RpcProtocol } from "../../wire/rpc-transport.js";

/** A finished call, without the content of its messages. */
export interface FinishedCall<Rpc extends string = string> {
  /** Such as `ProxySubscriptions/SelectNode`. */
  readonly rpc: Rpc;
  readonly protocol: RpcProtocol;
  /** `ok`, or the code of the error in snake case, such as `invalid_argument`. */
  readonly code: string;
  /** From the request headers until the response is ready to be sent, in milliseconds. */
  readonly durationMs: number;
}

/** Callbacks that observe calls. */
export interface CallObserver<Rpc extends string = string> {
  /** Called once at the end of each call of the contract's RPCs. */
  readonly onCall?: (call: FinishedCall<Rpc>) => void;
  /**
   * Called if a handler throws anything but a `ConnectError`, if its reply cannot be encoded, and if `onCall` throws. The caller never
   * sees the error.
   */
  readonly onFault?: (error: unknown, rpc: Rpc) => void;
}

/** Reports to an observer, whose errors do not affect calls. */
export interface CallReports {
  readonly ended: (call: Pick<FinishedCall, "protocol" | "rpc">, startedAt: number, code: Code | undefined) => void;
  readonly fault: (error: unknown, rpc: string) => void;
}

/** Creates reports to an observer. Errors of `onCall` are reported as faults. */
export function createCallReports({ onCall, onFault }: CallObserver): CallReports {
  function fault(error: unknown, rpc: string): void {
    try {
      onFault?.(error, rpc);
    } catch {
      // Nothing else can report it.
    }
  }

  return {
    fault,
    ended: (call, startedAt, code) => {
      try {
        const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
        onCall?.({
          ...call,
          code: code === undefined ? "ok" : codeToString(code),
          durationMs,
        });
      } catch (error) {
        fault(error, call.rpc);
      }
    },
  };
}
