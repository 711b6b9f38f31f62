import type { JsonObject } from "@bufbuild/protobuf";
import type { DaemonCase } from "../../contract/rpc/cases.js";
import type { DaemonRpc } from "../../contract/rpc/rpcs.js";
import { pathOfRpc } from "../../daemon/service-names.js";
import { excerpt, type Mask } from "../excerpt.js";
import { isCredentialHeader } from "../find-secret-fields.js";
import { maskedText } from "../mask.js";
import type { Exchange } from "../model/check-result.js";
import type { Answer, ErrorDetail } from "./answer.js";
import { type BufCurlCall, repeatCommand } from "./repeat-command.js";
import { maskRequest } from "./report-mask.js";

/** A completed call. The request holds the secrets of its URL. */
export interface MadeCall {
  readonly rpc: DaemonRpc;
  readonly request: JsonObject;
  readonly answer: Answer;
}

/** How many characters of one part of a response are shown, and how many parts. */
const maxPartLength = 4000;
const maxParts = 100;

/** Formats a call of a case and its response as readable text, with secrets masked. */
export function describeExchange(
  one: Pick<DaemonCase, "name">,
  { rpc, request, answer }: MadeCall,
  target: Pick<BufCurlCall, "address" | "protocol" | "names">,
  mask: Mask,
): Exchange {
  const exchange = {
    command: repeatCommand(one, { ...target, rpc, request }),
    request: `${pathOfRpc(rpc, target.names)}\n\n${JSON.stringify(maskRequest(request), null, 2)}`,
  };
  const lines = answerLines(answer, mask);
  return lines === undefined ? exchange : { ...exchange, response: lines.join("\n") };
}

/** Formats the result of a call, with secrets masked. Undefined if there was no response. */
export function answerLines(answer: Answer, mask: Mask): string[] | undefined {
  const lines = linesOf(answer);
  if (lines === undefined) return undefined;
  const shown = lines.slice(0, maxParts).map((line) => excerpt(line, maxPartLength, mask));
  return [...shown, ...(lines.length > maxParts ? ["…"] : [])];
}

function linesOf(answer: Answer): string[] | undefined {
  switch (answer.kind) {
    case "reply":
      return ["reply", ...metadataLines(answer), "", JSON.stringify(answer.reply, null, 2)];
    case "error": {
      const details = answer.details.flatMap((detail) => ["", ...detailLines(detail)]);
      return [`${answer.code}: ${JSON.stringify(answer.message)}`, ...metadataLines(answer), ...details];
    }
    case "malformed":
      return [`not an RPC answer: ${JSON.stringify(answer.text)}`, ...metadataLines(answer)];
    case "unreachable":
    case "timeout":
      return undefined;
  }
}

function metadataLines({ metadata }: Extract<Answer, { metadata: unknown }>): string[] {
  return metadata.map(([name, value]) => `${name}: ${isCredentialHeader(name) ? maskedText : value}`);
}

/** Shows a detail as quoted text, because its type is unknown. */
function detailLines({ type, value, debug }: ErrorDetail): string[] {
  const text = JSON.stringify(Buffer.from(value).toString());
  return [`detail ${type}, ${value.length} bytes: ${text}`, ...(debug === undefined ? [] : [debug])];
}
