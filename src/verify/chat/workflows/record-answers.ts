import { readFile } from "node:fs/promises";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { parseJson } from "../../../parse-json.js";
import { userAgent } from "../../../versions.js";
import { bytesText, maxAnswerBytes, maxHeldBytes, tooLarge } from "../../answer-limits.js";
import type { RespectReport, RespectStep } from "./respect-report.js";

/** A header that identifies a response in the report. */
const idHeader = "accord-answer";

/** The name that replaces `Location`, which `fetch` would follow. */
const locationHeader = "accord-location";

/** The codes of the errors that abort a response; `respect` reports them. */
const answerCode = "ACCORD_ANSWER_TOO_LARGE";
const answersCode = "ACCORD_ANSWERS_TOO_LARGE";

/** Describes why a response was aborted, from the message of `respect`; undefined if there is no response for another reason. */
export function sizeFault(message: string): string | undefined {
  if (message.includes(answerCode)) return tooLarge(maxAnswerBytes);
  return message.includes(answersCode)
    ? `the answers to workflows are larger than ${bytesText(maxHeldBytes)} together`
    : undefined;
}

/**
 * Returns a module, as a URL, for the process of `respect`, which bundles a copy of undici and has no options for redirects or response
 * sizes.
 *
 * The module
 * - renames the `Location` of redirects, so that `fetch` returns the redirect itself (Fetch, section "HTTP-redirect fetch");
 * - names this package in `User-Agent`;
 * - aborts responses that are too large, compressed or not;
 * - records every response in `file`, because the report omits a body from which an output could not be read;
 * - lower-cases media types, because `respect` does not recognize JSON otherwise (RFC 9110, section 8.3.1, allows any case).
 *
 * Source: undici, docs/docs/api/DiagnosticsChannel.md.
 */
export function recordAnswers(file: string): string {
  const code = `import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import zlib from "node:zlib";
const agent = ${JSON.stringify(userAgent("chat"))};
let count = 0;
let held = 0;
const recorded = new WeakMap();
const excess = (length) => {
  const code = length > ${maxAnswerBytes} ? "${answerCode}" : held > ${maxHeldBytes} ? "${answersCode}" : undefined;
  return code && Object.assign(new Error(code), { code });
};
for (const name of ["Gunzip", "Inflate", "InflateRaw", "Unzip", "BrotliDecompress", "ZstdDecompress"]) {
  const create = zlib["create" + name];
  if (create === undefined) continue;
  const value = (...options) => {
    const stream = create(...options);
    const push = stream.push;
    let length = 0;
    stream.push = (piece, ...rest) => {
      length += piece?.length ?? 0;
      held += piece?.length ?? 0;
      const error = excess(length);
      if (error === undefined) return push.call(stream, piece, ...rest);
      stream.destroy(error);
      return false;
    };
    return stream;
  };
  Object.defineProperty(zlib, "create" + name, { value, configurable: true, enumerable: true });
}
syncBuiltinESMExports();
subscribe("undici:request:create", ({ request: { headers } }) => {
  for (let index = 0; index < headers.length; index += 2) {
    // The default of undici; a step may send its own.
    if (headers[index].toLowerCase() === "user-agent" && headers[index + 1] === "undici") headers[index + 1] = agent;
  }
});
subscribe("undici:request:headers", ({ request, response: { headers, statusCode } }) => {
  const answer = { id: String(++count), chunks: [], length: 0 };
  for (let index = 0; index < headers.length; index += 2) {
    const name = String(headers[index]).toLowerCase();
    if (name === "location" && statusCode >= 300 && statusCode < 400) headers[index] = Buffer.from("${locationHeader}");
    if (name !== "content-type") continue;
    answer.type = headers[index + 1].toString("latin1");
    const [type, ...parameters] = answer.type.split(";");
    headers[index + 1] = Buffer.from([type.trim().toLowerCase(), ...parameters].join(";"), "latin1");
  }
  headers.push(Buffer.from("${idHeader}"), Buffer.from(answer.id));
  recorded.set(request, answer);
});
subscribe("undici:request:bodyChunkReceived", ({ request, chunk }) => {
  const answer = recorded.get(request);
  if (answer === undefined) return;
  answer.length += chunk.length;
  held += chunk.length;
  const error = excess(answer.length);
  if (error === undefined) return void answer.chunks.push(chunk);
  recorded.delete(request);
  request.abort(error);
});
subscribe("undici:request:trailers", ({ request }) => {
  const { id, type, chunks } = recorded.get(request) ?? {};
  if (id === undefined) return;
  const line = JSON.stringify({ id, type, content: Buffer.concat(chunks).toString("base64") });
  appendFileSync(${JSON.stringify(file)}, line + "\\n");
});`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** A recorded response, one line of the file. */
interface RecordedAnswer {
  readonly id: string;
  /** The `Content-Type` as sent. */
  readonly type?: string;
  /** The content as sent, in base64. */
  readonly content: string;
}

/** Replaces the responses of a report with those that were recorded in a file. */
export async function withRecordedAnswers({ files }: RespectReport, file: string): Promise<RespectReport> {
  const lines = await readFile(file, "utf8").catch(() => "");
  const recorded = lines.split("\n").flatMap((line) => (parseJson(line) as RecordedAnswer | undefined) ?? []);
  const answers = new Map(recorded.map((answer) => [answer.id, answer]));
  const entries = Object.entries(files).map(([name, { executedWorkflows, ...rest }]) => {
    const workflows = executedWorkflows.map((workflow) => ({
      ...workflow,
      executedSteps: workflow.executedSteps.map((step) => withAnswer(step, answers)),
    }));
    return [name, { ...rest, executedWorkflows: workflows }] as const;
  });
  return { files: Object.fromEntries(entries) };
}

function withAnswer(step: RespectStep, answers: ReadonlyMap<string, RecordedAnswer>): RespectStep {
  const { [idHeader]: id = "", [locationHeader]: location, ...others } = step.response.headers;
  const headers = location === undefined ? others : { ...others, location };
  const answer = answers.get(id);
  const text = answer === undefined ? undefined : decodeText(answer, headers["content-encoding"]);
  return {
    ...step,
    response: {
      ...step.response,
      headers: answer?.type === undefined ? headers : { ...headers, "content-type": answer.type },
      ...(text === undefined ? {} : { text, body: step.response.body ?? parseJson(text) ?? text }),
    },
  };
}

const decoders: Readonly<Record<string, (content: Buffer, limit: { readonly maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** Decodes the text of a response; undefined if that fails. */
function decodeText({ content }: RecordedAnswer, encoding = ""): string | undefined {
  const codings = encoding
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  try {
    const bytes = codings.reduceRight<Buffer | undefined>(
      (coded, coding) => coded && decoders[coding]?.(coded, { maxOutputLength: maxAnswerBytes }),
      Buffer.from(content, "base64"),
    );
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}
