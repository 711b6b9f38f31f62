import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ConnectRouter,
  createContextKey,
  type HandlerContext,
  type MethodImpl,
} from "@connectrpc/connect";
import { abortError, internal } from "./call-errors.js";
import type { CallHandler } from "./call-handler.js";
import type { CallReports } from "./call-reports.js";
import type { RpcRoute } from "./rpc-server-options.js";
import { sendableError } from "./sendable-error.js";

/** The state of a call that arrived over a network. */
export interface CallState {
  /** Fails the call instead of calling its handler. */
  refusal?: ConnectError;
  /** Whether Connect could read the request. */
  isRead?: boolean;
  /** The code of the error of the RPC. */
  code?: Code | undefined;
}

/** Connect passes the state of a call under this key. */
export const callState = createContextKey<CallState | undefined>(undefined);

/** Adds RPCs with their handlers to a router, in their order. All errors that callers see are safe to send. */
export function addRpcs(router: ConnectRouter, routes: readonly RpcRoute[], reports: CallReports): void {
  for (const { method, rpc, handler } of routes) {
    router.rpc(
      method,
      implement(method, handler, (error) => reports.fault(error, rpc)),
    );
  }
}

function implement<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  handler: CallHandler<DescMethodUnary<Input, Output>>,
  reportFault: (error: unknown) => void,
): MethodImpl<DescMethodUnary<Input, Output>> {
  async function handle(request: MessageShape<Input>, context: HandlerContext): Promise<MessageInitShape<Output>> {
    try {
      const reply = create(method.output, await handler(request, context));
      // Connect would quote a value that it cannot encode in the format of the call.
      const isJson = context.requestHeader.get("content-type")?.includes("json") === true;
      (isJson ? toJsonString : toBinary)(method.output, reply);
      return reply as MessageInitShape<Output>;
    } catch (error) {
      throw clean(error, context.signal);
    }
  }

  /** Converts a thrown value to an error that the caller may see. */
  function clean(error: unknown, signal: AbortSignal): ConnectError {
    if (signal.aborted && isAbort(error, signal)) return abortError(signal);
    if (!(error instanceof ConnectError) || Code[error.code] === undefined) {
      reportFault(error);
      return internal();
    }
    return sendableError(error);
  }

  return async (request: MessageShape<Input>, context: HandlerContext) => {
    const state: CallState = context.values.get(callState) ?? {};
    state.isRead = true;
    try {
      if (context.signal.aborted) throw abortError(context.signal);
      if (state.refusal !== undefined) throw state.refusal;
      return await untilAborted(handle(request, context), context.signal);
    } catch (error) {
      state.code = ConnectError.from(error).code;
      throw error;
    }
  };
}

/** Whether an error only reports that the call was aborted. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  return error === signal.reason || (error instanceof Error && /^(Abort|Timeout)Error$/.test(error.name));
}

/** Stops waiting for a handler when the call is aborted. */
async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(abortError(signal));
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
