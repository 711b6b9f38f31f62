import { Code, createContextValues } from "@connectrpc/connect";
import {
  createAsyncIterable,
  encodeEnvelope,
  type UniversalHandler,
  type UniversalHandlerFn,
  type UniversalServerResponse,
} from "@connectrpc/connect/protocol";
import { codeFromString, parseTimeout as parseConnectTimeout } from "@connectrpc/connect/protocol-connect";
import { parseTimeout as parseGrpcTimeout } from "@connectrpc/connect/protocol-grpc";
import { type CallState, callState } from "./add-rpcs.js";
import { malformedTimeout, refusal } from "./call-errors.js";

/** Maximum delay of a timer, which is 24 days. Longer timers fire at once, so longer timeouts are ignored. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Wraps Connect's handler of an RPC, so that a request that cannot be read fails with a message of ours: Connect quotes the data that it
 * cannot parse. Sends an empty message in place of the request, which the RPC then refuses in the form of its protocol.
 */
export function refuseUnread(handle: UniversalHandler): UniversalHandlerFn {
  const requestName = handle.method.input.name;
  return async (request) => {
    const state: CallState = { startedAt: performance.now(), isRead: false };
    const contextValues = createContextValues().set(callState, state);
    const type = request.header.get("content-type") ?? "";
    const isGrpc = type.startsWith("application/grpc");

    const header = new Headers(request.header);
    const [name, parse] = isGrpc
      ? (["grpc-timeout", parseGrpcTimeout] as const)
      : (["connect-timeout-ms", parseConnectTimeout] as const);
    const { timeoutMs = 0, error } = parse(header.get(name), Number.MAX_SAFE_INTEGER);
    if (error !== undefined) state.refusal = malformedTimeout();
    if (error !== undefined || timeoutMs > maxTimerMs) header.delete(name);

    const response = await handle({ ...request, header, contextValues });
    // A wrong method or content type has no response in the form of a protocol.
    if (state.isRead || (response.body === undefined && response.trailer === undefined)) return response;
    state.refusal ??= refusal(await errorCode(response), requestName);
    const message = Buffer.from(type.includes("json") ? "{}" : "");
    const body = createAsyncIterable([isGrpc ? encodeEnvelope(0, message) : message]);
    return handle({ ...request, header: new Headers({ "content-type": type }), body, contextValues });
  };
}

/** The code of a failed unary call in any protocol. Unknown if the response is compressed, which short ones never are. */
async function errorCode({ body, trailer }: UniversalServerResponse): Promise<Code> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("latin1");
  const status = trailer?.get("grpc-status") ?? /grpc-status: *(\d+)/i.exec(text)?.[1];
  if (status !== undefined) return Number(status);
  return codeFromString(/^{"code":"(\w+)"/.exec(text)?.[1] ?? "") ?? Code.Unknown;
}
