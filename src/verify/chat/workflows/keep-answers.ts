import { readFile } from "node:fs/promises";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { parseJson } from "../../../parse-json.js";
import type { RespectReport, RespectStep } from "./respect-report.js";

/** An answer, as a line of the file. */
interface KeptAnswer {
  readonly id: string;
  /** The `Content-Type` as it was sent. */
  readonly type?: string;
  /** The content as it was sent, in Base64. */
  readonly content: string;
}

/** A header that names an answer in the report. */
const idHeader = "accord-answer";

/**
 * A module for the process of `respect` that keeps every answer in a file, because the report of `respect` leaves a body out of which it
 * could not take an output. It also writes media types in lower case, as `respect` wants them to know JSON (RFC 9110, section 8.3.1,
 * allows any). Source: undici, docs/docs/api/DiagnosticsChannel.md; `respect` makes its requests with a copy of undici.
 */
export function keepAnswers(file: string): string {
  const code = `import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
let count = 0;
const kept = new WeakMap();
subscribe("undici:request:headers", ({ request, response: { headers } }) => {
  const answer = { id: String(++count), chunks: [] };
  for (let index = 0; index < headers.length; index += 2) {
    if (String(headers[index]).toLowerCase() !== "content-type") continue;
    answer.type = headers[index + 1].toString("latin1");
    const [type, ...parameters] = answer.type.split(";");
    headers[index + 1] = Buffer.from([type.trim().toLowerCase(), ...parameters].join(";"), "latin1");
  }
  headers.push(Buffer.from("${idHeader}"), Buffer.from(answer.id));
  kept.set(request, answer);
});
subscribe("undici:request:bodyChunkReceived", ({ request, chunk }) => void kept.get(request)?.chunks.push(chunk));
subscribe("undici:request:trailers", ({ request }) => {
  const { id, type, chunks } = kept.get(request) ?? {};
  if (id === undefined) return;
  const line = JSON.stringify({ id, type, content: Buffer.concat(chunks).toString("base64") });
  appendFileSync(${JSON.stringify(file)}, line + "\\n");
});`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** Puts the answers that were kept in a file in the place of those of a report. */
export async function withAnswers({ files }: RespectReport, file: string): Promise<RespectReport> {
  const lines = await readFile(file, "utf8").catch(() => "");
  const kept = lines.split("\n").flatMap((line) => (parseJson(line) as KeptAnswer | undefined) ?? []);
  const answers = new Map(kept.map((answer) => [answer.id, answer]));
  const entries = Object.entries(files).map(([name, { executedWorkflows, ...rest }]) => {
    const workflows = executedWorkflows.map((one) => ({
      ...one,
      executedSteps: one.executedSteps.map((step) => withAnswer(step, answers)),
    }));
    return [name, { ...rest, executedWorkflows: workflows }] as const;
  });
  return { files: Object.fromEntries(entries) };
}

function withAnswer(step: RespectStep, answers: ReadonlyMap<string, KeptAnswer>): RespectStep {
  const { [idHeader]: id = "", ...headers } = step.response.headers;
  const answer = answers.get(id);
  const text = answer === undefined ? undefined : textOf(answer, headers["content-encoding"]);
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
/** No answer of this API is larger. */
const mostBytes = 64 * 1024 * 1024;

/** The text of an answer; undefined when it cannot be decoded. */
function textOf({ content }: KeptAnswer, encoding = ""): string | undefined {
  const codings = encoding
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  try {
    const bytes = codings.reduceRight<Buffer | undefined>(
      (coded, coding) => coded && decoders[coding]?.(coded, { maxOutputLength: mostBytes }),
      Buffer.from(content, "base64"),
    );
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}
