import { bytesText, maxAnswerBytes, maxHeldBytes, tooLarge } from "../../answer-limits.js";

/** A header that names an answer in the report. */
export const idHeader = "accord-answer";

/** The header `Location` under a name that `fetch` does not follow. */
export const locationHeader = "accord-location";

/** The codes of errors that end an answer, which `respect` reports. */
const answerCode = "ACCORD_ANSWER_TOO_LARGE";
const answersCode = "ACCORD_ANSWERS_TOO_LARGE";

/** What was wrong with an answer that was ended, by the message of `respect`; undefined when it has no answer for another reason. */
export function sizeFault(message: string): string | undefined {
  if (message.includes(answerCode)) return tooLarge(maxAnswerBytes);
  return message.includes(answersCode)
    ? `the answers to workflows are larger than ${bytesText(maxHeldBytes)} together`
    : undefined;
}

/**
 * A module for the process of `respect`, which makes its requests with a copy of undici and can be told neither to follow no redirect nor
 * to read no more than so much.
 *
 * It hides the `Location` of redirects, without which `fetch` takes a redirect as it is (Fetch, section "HTTP-redirect fetch"), and ends answers that are
 * too large, compressed or not. It keeps every answer in a file, because the report of `respect` leaves a body out of which it could not
 * take an output. It also writes media types in lower case, as `respect` wants them to know JSON
 * (RFC 9110, section 8.3.1, allows any). Source: undici, docs/docs/api/DiagnosticsChannel.md.
 */
export function guardAnswers(file: string): string {
  const code = `import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import zlib from "node:zlib";
let count = 0;
let held = 0;
const kept = new WeakMap();
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
  kept.set(request, answer);
});
subscribe("undici:request:bodyChunkReceived", ({ request, chunk }) => {
  const answer = kept.get(request);
  if (answer === undefined) return;
  answer.length += chunk.length;
  held += chunk.length;
  const error = excess(answer.length);
  if (error === undefined) return void answer.chunks.push(chunk);
  kept.delete(request);
  request.abort(error);
});
subscribe("undici:request:trailers", ({ request }) => {
  const { id, type, chunks } = kept.get(request) ?? {};
  if (id === undefined) return;
  const line = JSON.stringify({ id, type, content: Buffer.concat(chunks).toString("base64") });
  appendFileSync(${JSON.stringify(file)}, line + "\\n");
});`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
