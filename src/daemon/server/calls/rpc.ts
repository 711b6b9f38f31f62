import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter, createContextKey } from "@connectrpc/connect";
import type { DaemonRpc } from "../../../contract/daemon/rpcs.js";
import type { CallContext } from "../daemon-handlers.js";
import { encodeJson } from "../encode-json.js";
import { createEncoder } from "../encode-message.js";
import { canceled, deadlineExceeded, internal, refusal } from "./call-errors.js";
import { sendableError } from "./sendable-error.js";

/** An RPC of the contract with its handler. All errors that it throws are safe to send to the caller. */
export interface Rpc {
  readonly name: DaemonRpc;
  /** Such as `/proxydaemon.v1.ProxySubscriptions/SelectNode`. */
  readonly path: string;
  /** The name of the request message. */
  readonly requestName: string;
  /** Handles a binary request and returns the binary reply after `room` zero bytes. Encodes long replies in slices. */
  readonly answerBytes: (request: Uint8Array, context: CallContext, room: number) => Uint8Array | Promise<Uint8Array>;
  /** Lets Connect's protocols call the handler. */
  readonly addTo: (router: ConnectRouter) => void;
}

/** The progress of a call through Connect. */
export interface CallProgress {
  /** The format in which to encode long replies in slices. If undefined, Connect encodes them all at once. */
  readonly longRepliesIn?: "binary" | "json";
  /** The encoded long reply. Connect was given an empty message instead. */
  longReply?: Uint8Array;
  /** The outcome of the handler. Undefined until it returns. */
  outcome?: "replied" | { readonly failed: Code };
}

/** Connect passes the progress of a call to the handler under this key. */
export const callProgress = createContextKey<CallProgress | undefined>(undefined);

/** Reports an error of a handler that the caller must not see. */
export type ReportFault = (error: unknown, rpc: DaemonRpc) => void;

type Reply<Output extends DescMessage> = MessageInitShape<Output> | Promise<MessageInitShape<Output>>;
type Handle<Input extends DescMessage, Output extends DescMessage> = (
  request: MessageShape<Input>,
  context: CallContext,
) => Reply<Output>;

/** Binds a method to its handler. */
export function createRpc<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  handle: Handle<Input, Output>,
  reportFault: ReportFault,
): Rpc {
  const { input, output, parent } = method;
  const name = `${parent.name}/${method.name}` as DaemonRpc;
  const encode = createEncoder(output);

  /** Converts a thrown value to an error that the caller may see. */
  function clean(error: unknown, signal: AbortSignal): ConnectError {
    if (signal.aborted && isAbort(error, signal)) return abortError(signal);
    if (!(error instanceof ConnectError) || Code[error.code] === undefined) {
      reportFault(error, name);
      return internal();
    }
    return sendableError(error);
  }

  function answerBytes(bytes: Uint8Array, context: CallContext, room: number): Uint8Array | Promise<Uint8Array> {
    let request: MessageShape<Input>;
    try {
      request = fromBinary(input, bytes);
    } catch {
      throw refusal("not-valid", input.name);
    }
    const fail = (error: unknown): never => {
      throw clean(error, context.signal);
    };
    try {
      const reply = handle(request, context);
      if (isPromise(reply))
        return Promise.resolve(reply)
          .then((value) => encode(value, room))
          .catch(fail);
      const encoded = encode(reply, room);
      return isPromise(encoded) ? encoded.catch(fail) : encoded;
    } catch (error) {
      return fail(error);
    }
  }

  function addTo(router: ConnectRouter): void {
    router.rpc(method, async (request, context) => {
      const progress = context.values.get(callProgress) ?? {};
      try {
        if (context.signal.aborted) throw abortError(context.signal);
        const reply = await untilAborted(handleAsync(request, context, progress), context.signal);
        progress.outcome = "replied";
        return reply;
      } catch (error) {
        progress.outcome = { failed: ConnectError.from(error).code };
        throw error;
      }
    });
  }

  async function handleAsync(request: MessageShape<Input>, context: CallContext, progress: CallProgress) {
    try {
      const reply = await handle(request, context);
      const format = progress.longRepliesIn;
      if (format === undefined || !isLong(reply)) return reply;
      progress.longReply = await (format === "json" ? encodeJson(output, reply) : encode(reply));
      return create(output);
    } catch (error) {
      throw clean(error, context.signal);
    }
  }

  return { name, path: `/${parent.typeName}/${method.name}`, requestName: input.name, answerBytes, addTo };
}

/** Connect itself encodes a reply with at most this many list entries, all at once. */
const maxEntriesUnsliced = 500;

function isLong(reply: object): boolean {
  const lists = Object.values(reply).filter((value) => Array.isArray(value));
  return lists.reduce((sum, { length }) => sum + length, 0) > maxEntriesUnsliced;
}

function isPromise<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return typeof (value as Partial<Promise<Value>>).then === "function";
}

/** Whether an error only reports that the call was aborted. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  return error === signal.reason || (error instanceof Error && /^(Abort|Timeout)Error$/.test(error.name));
}

function abortError({ reason }: AbortSignal): ConnectError {
  return reason instanceof ConnectError && reason.code === Code.DeadlineExceeded ? deadlineExceeded() : canceled();
}

/** Stops waiting for a handler when the call is aborted. */
async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(abortError(signal));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
