import { Code, type ConnectError, createContextValues } from "@connectrpc/connect";
import {
  createAsyncIterable,
  encodeEnvelope,
  type UniversalHandler,
  type UniversalHandlerFn,
  type UniversalServerRequest,
  type UniversalServerResponse,
} from "@connectrpc/connect/protocol";
import { codeFromString, parseTimeout as parseConnectTimeout } from "@connectrpc/connect/protocol-connect";
import { parseTimeout as parseGrpcTimeout } from "@connectrpc/connect/protocol-grpc";
import { jsonExcess } from "../../base/parse-json.js";
import { inspectedBody, inspectMessages } from "../../wire/inspect-messages.js";
import { messageExcess } from "../../wire/message-excess.js";
import type { RpcProtocol } from "../../wire/rpc-transport.js";
import { type CallState, callState } from "./add-rpcs.js";
import { malformedTimeout, refusal, tooManyValues } from "./call-errors.js";
import type { CallReports } from "./call-reports.js";

/** Maximum delay of a timer, which is 24 days. Longer timers fire at once, so longer timeouts are ignored. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Wraps Connect's handler of an RPC, which reports name `rpc`. Reports calls, and gives requests that cannot be read an error with a fixed message, because Connect
 * quotes the data that it cannot parse: it repeats the request with an empty message, which the RPC then refuses in the form of its
 * protocol.
 */
export function superviseCalls(handle: UniversalHandler, rpc: string, reports: CallReports): UniversalHandlerFn {
  const { input } = handle.method;
  return async (request) => {
    const startedAt = performance.now();
    const state: CallState = {};
    const contextValues = createContextValues().set(callState, state);
    const type = request.header.get("content-type")?.toLowerCase() ?? "";
    const protocol = protocolOf(type);
    const isGrpc = protocol !== "connect";

    const header = new Headers(request.header);
    const timeout = isGrpc ? "grpc-timeout" : "connect-timeout-ms";
    const parse = isGrpc ? parseGrpcTimeout : parseConnectTimeout;
    const { timeoutMs = 0, error } = parse(header.get(timeout), Number.MAX_SAFE_INTEGER);
    if (error !== undefined) state.refusal = malformedTimeout();
    if (error !== undefined || timeoutMs > maxTimerMs) header.delete(timeout);

    const counted = countValues(handle, (error) => {
      state.refusal ??= error;
    });
    let response = await counted({ ...request, header, contextValues });
    // A wrong method or content type has no response in the form of a protocol.
    if (!state.isRead && response.body === undefined && response.trailer === undefined) return response;
    if (!state.isRead) {
      state.refusal ??= refusal(await errorCode(response), input.name);
      const message = Buffer.from(type.includes("json") ? "{}" : "");
      const body = createAsyncIterable([isGrpc ? encodeEnvelope(0, message) : message]);
      response = await handle({ ...request, header: new Headers({ "content-type": type }), body, contextValues });
    }
    reports.ended({ rpc, protocol }, startedAt, state.code);
    return response;
  };
}

/** Wraps Connect's handler of an RPC so that it decodes no message of too many values. `onRefusal` gets the error of the call. */
export function countValues(handle: UniversalHandler, onRefusal = (_: ConnectError) => {}): UniversalHandlerFn {
  return (request) => {
    const { body, header } = request;
    const isJson = header.get("content-type")?.toLowerCase().includes("json") === true;
    const inspect = (message: Uint8Array) => {
      const excess = isJson
        ? jsonExcess(Buffer.from(message).toString("utf8"))
        : messageExcess(handle.method.input, message);
      if (excess === undefined) return;
      const error = tooManyValues();
      onRefusal(error);
      throw error;
    };
    return inspectMessages(inspect, () =>
      handle(isBytes(body) ? { ...request, body: inspectedBody(body, header) } : request),
    );
  };
}

function isBytes(body: UniversalServerRequest["body"]): body is AsyncIterable<Uint8Array> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

function protocolOf(contentType: string): RpcProtocol {
  if (contentType.startsWith("application/grpc-web")) return "grpc-web";
  return contentType.startsWith("application/grpc") ? "grpc" : "connect";
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
