import { shellWord } from "../../base/shell-word.js";
import type { RpcContract } from "../../contract/rpc/contract.js";
import { excerpt, type Mask } from "../../verify/excerpt.js";
import type { Exchange } from "../../verify/model/check-result.js";
import { answerLines } from "../../verify/rpc/describe-exchange.js";
import { bufCurlLine, type RepeatedTarget } from "../../verify/rpc/repeat-command.js";
import { maskMessage } from "../../verify/rpc/report-mask.js";
import { parseRpcAddress } from "../../wire/rpc-address.js";
import type { ReadCall } from "./read-call.js";

/** Request headers that describe how the call is made. All others may hold credentials. */
const shownHeaders: ReadonlySet<string> = new Set([
  "content-type",
  "content-encoding",
  "te",
  "grpc-encoding",
  "grpc-timeout",
  "connect-protocol-version",
  "connect-timeout-ms",
]);

const maxHeaderLength = 200;
const maxPartLength = 4_000;

/** Where a call went. */
export type CallTarget = Omit<RepeatedTarget, "protocol">;

/**
 * Renders a call as readable text, with secrets masked. Shows the content of a response only if the request was decoded,
 * because only then are its secrets known.
 */
export function describeCall(call: ReadCall, target: CallTarget, mask: Mask): Exchange {
  const { recorded, destination, request } = call;
  const path = destination.kind === "unknown" ? destination.name : recorded.request.target.slice(1).split("?", 1)[0];
  const headers = Object.entries(recorded.request.headers).flatMap(([name, value]) =>
    shownHeaders.has(name) ? `${name}: ${excerpt(value, maxHeaderLength, mask)}` : [],
  );
  const { isSecret } = target.contract;
  const body =
    destination.kind === "rpc" && request?.kind === "message"
      ? JSON.stringify(maskMessage(destination.method.method.input, request.json, isSecret), null, 2)
      : `(${recorded.request.bodyBytes} bytes)`;
  const response = responseText(call, isSecret, mask);
  return {
    command: commandOf(call, target),
    request: excerpt(
      [`${recorded.request.method.slice(0, 20)} ${path}`, ...headers, "", body].join("\n"),
      maxPartLength,
      mask,
    ),
    ...(response === undefined ? {} : { response }),
  };
}

function responseText(
  { recorded, destination, request, answer }: ReadCall,
  isSecret: RpcContract["isSecret"],
  mask: Mask,
): string | undefined {
  const { response } = recorded;
  if (response === undefined) return undefined;
  const isKnown = request?.kind === "message" && (answer?.kind === "reply" || answer?.kind === "error");
  if (!isKnown || destination.kind !== "rpc") return `status ${response.status}, ${response.bodyBytes} bytes`;
  const { output } = destination.method.method;
  const shown =
    answer.kind === "reply"
      ? { ...answer.answer, reply: maskMessage(output, answer.answer.reply, isSecret) }
      : answer.answer;
  return answerLines(shown, mask)?.join("\n");
}

function commandOf({ destination, form, request }: ReadCall, target: CallTarget): string {
  if (destination.kind === "rpc" && form !== undefined && request?.kind === "message") {
    return bufCurlLine({ ...target, rpc: destination.method.rpc, protocol: form.protocol, request: request.json });
  }
  const where = parseRpcAddress(target.address);
  const socket = where.kind === "socket" ? ["--unix-socket", where.path] : [];
  const origin = where.kind === "socket" ? "http://localhost" : where.origin;
  return ["buf", "curl", ...socket, "--list-methods", origin].map(shellWord).join(" ");
}
