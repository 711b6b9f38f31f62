import type { DaemonCase } from "../../contract/daemon/cases.js";
import type { Exchange } from "../check.js";
import { excerpt, type Mask } from "../excerpt.js";
import type { Answer, ErrorDetail } from "./answer.js";
import type { MadeCall } from "./perform-case.js";
import { type BufCurlCall, repeatCommand } from "./repeat-command.js";
import { maskRequest } from "./report-mask.js";

/** As many characters are shown of one part of an answer, and so many parts. */
const longest = 4000;
const mostLines = 100;

/** A call of a case and its answer as text for people, masked. */
export function describeExchange(
  one: Pick<DaemonCase, "name">,
  { rpc, request, answer }: MadeCall,
  { address, protocol }: Pick<BufCurlCall, "address" | "protocol">,
  mask: Mask,
): Exchange {
  const exchange = {
    command: repeatCommand(one, { address, protocol, rpc, request }),
    request: `daemon.v1.${rpc}\n\n${JSON.stringify(maskRequest(request), null, 2)}`,
  };
  const lines = linesOf(answer);
  if (lines === undefined) return exchange;
  const shown = lines.slice(0, mostLines).map((line) => excerpt(line, longest, mask));
  return { ...exchange, response: [...shown, ...(lines.length > mostLines ? ["…"] : [])].join("\n") };
}

/** Undefined when nothing came. */
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
  return metadata.map(([name, value]) => `${name}: ${value}`);
}

/** What of a detail is text, in quotation marks: its type is not known here. */
function detailLines({ type, value, debug }: ErrorDetail): string[] {
  const text = JSON.stringify(Buffer.from(value).toString());
  return [`detail ${type}, ${value.length} bytes: ${text}`, ...(debug === undefined ? [] : [debug])];
}
