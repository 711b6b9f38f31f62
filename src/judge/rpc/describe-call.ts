import type { JsonObject } from "@bufbuild/protobuf";
import { methodOf } from "../../contract/rpc/contract.js";
import { pathOfMethod } from "../../contract/rpc/names.js";
import type { ReportedExchange } from "../../report/model/check-result.js";
import { excerpt, type Mask } from "../excerpt.js";
import { isCredentialHeader } from "../find-secret-fields.js";
import { maskedText } from "../mask.js";
import type { ErrorDetail, RpcAnswer } from "./answer.js";
import { type RepeatedTarget, repeatCommand } from "./repeat-command.js";
import { maskMessage } from "./report-mask.js";

/** A completed call. The request holds the secrets of its URL. */
export interface MadeCall {
  readonly rpc: string;
  readonly request: JsonObject;
  readonly answer: RpcAnswer;
}

/** How many characters of one part of a response are shown, and how many parts. */
const maxPartLength = 4000;
const maxParts = 100;

/** Formats a call of a check, given by its id, and its response as readable text, with secrets masked. */
export function describeMadeCall(
  check: string,
  { rpc, request, answer }: MadeCall,
  target: RepeatedTarget,
  mask: Mask,
): ReportedExchange {
  const { contract, names } = target;
  const method = methodOf(contract, rpc);
  const sent = maskMessage(method.input, request, contract.isSecret);
  const exchange = {
    command: repeatCommand(check, { ...target, rpc, request }),
    request: `${pathOfMethod(method, names)}\n\n${JSON.stringify(sent, null, 2)}`,
  };
  const reply =
    answer.kind === "reply"
      ? { ...answer, reply: maskMessage(method.output, answer.reply, contract.isSecret) }
      : answer;
  const lines = answerLines(reply, mask);
  return lines === undefined ? exchange : { ...exchange, response: lines.join("\n") };
}

/** Formats the result of a call, with secrets masked. Undefined if there was no response. */
export function answerLines(answer: RpcAnswer, mask: Mask): string[] | undefined {
  const lines = linesOf(answer);
  if (lines === undefined) return undefined;
  const shown = lines.slice(0, maxParts).map((line) => excerpt(line, maxPartLength, mask));
  return [...shown, ...(lines.length > maxParts ? ["…"] : [])];
}

function linesOf(answer: RpcAnswer): string[] | undefined {
  switch (answer.kind) {
    case "reply":
      return ["reply", ...metadataLines(answer), "", JSON.stringify(answer.reply, null, 2)];
    case "error": {
      const details = answer.details.flatMap((detail) => ["", ...detailLines(detail)]);
      return [`${answer.code}: ${JSON.stringify(answer.message)}`, ...metadataLines(answer), ...details];
    }
    case "malformed":
      return [`not an RPC answer: ${JSON.stringify(answer.text)}`, ...metadataLines(answer)];
    case "too-large":
      return [answer.text, ...metadataLines(answer)];
    case "unreachable":
    case "timeout":
      return undefined;
  }
}

function metadataLines({ metadata }: Extract<RpcAnswer, { metadata: unknown }>): string[] {
  return metadata.map(([name, value]) => `${name}: ${isCredentialHeader(name) ? maskedText : value}`);
}

/** Shows a detail as quoted text, because its type is unknown. */
function detailLines({ type, value, debug }: ErrorDetail): string[] {
  const text = JSON.stringify(Buffer.from(value).toString());
  return [`detail ${type}, ${value.length} bytes: ${text}`, ...(debug === undefined ? [] : [debug])];
}
