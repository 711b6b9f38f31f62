import { readFile } from "node:fs/promises";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { parseJson } from "../../../parse-json.js";
import { maxAnswerBytes } from "../../answer-limits.js";
import { idHeader, locationHeader } from "./guard-answers.js";
import type { RespectReport, RespectStep } from "./respect-report.js";

/** An answer, as a line of the file. */
interface KeptAnswer {
  readonly id: string;
  /** The `Content-Type` as it was sent. */
  readonly type?: string;
  /** The content as it was sent, in Base64. */
  readonly content: string;
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
  const { [idHeader]: id = "", [locationHeader]: location, ...others } = step.response.headers;
  const headers = location === undefined ? others : { ...others, location };
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

/** The text of an answer; undefined when it cannot be decoded. */
function textOf({ content }: KeptAnswer, encoding = ""): string | undefined {
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
