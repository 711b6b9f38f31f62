import type { Code } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import type { DaemonRpc } from "../../../contract/daemon/rpcs.js";
import type { DaemonProtocol } from "../../create-daemon-client.js";

/** A finished call, without the content of its messages. */
export interface DaemonCall {
  /** Such as `ProxySubscriptions/SelectNode`. */
  readonly rpc: DaemonRpc;
  readonly protocol: DaemonProtocol;
  /** `ok`, or the code of the error in snake case, such as `invalid_argument`. */
  readonly code: string;
  /** From the request headers until the response is ready to be sent, in milliseconds. */
  readonly durationMs: number;
}

/** Callbacks that observe calls. */
export interface CallObserver {
  /** Called once at the end of each call of the contract's RPCs. */
  readonly onCall?: (call: DaemonCall) => void;
  /**
   * Called if a handler throws anything but a `ConnectError`, if its reply cannot be encoded, and if `onCall` throws. The caller never
   * sees the error.
   */
  readonly onFault?: (error: unknown, rpc: DaemonRpc) => void;
}

/** Reports the end of a call; undefined means success. */
export type EndCall = (code: Code | undefined) => void;

/** Reports calls to an observer. Never throws. */
export interface CallReports {
  /** Reports the start of a call. */
  readonly begin: (rpc: DaemonRpc, protocol: DaemonProtocol) => EndCall;
  readonly fault: (error: unknown, rpc: DaemonRpc) => void;
}

const ignore = () => {};

/** Creates reports to an observer. Errors of the observer do not affect calls; those of `onCall` are reported as faults. */
export function createCallReports({ onCall, onFault }: CallObserver): CallReports {
  function fault(error: unknown, rpc: DaemonRpc): void {
    try {
      onFault?.(error, rpc);
    } catch {
      // Nothing else can report it.
    }
  }

  function begin(rpc: DaemonRpc, protocol: DaemonProtocol): EndCall {
    if (onCall === undefined) return ignore;
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
