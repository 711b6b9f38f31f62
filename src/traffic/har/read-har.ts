import { readFile, stat } from "node:fs/promises";
import { CouldNotRunError } from "../../base/could-not-run-error.js";
import { parseUrl } from "../../base/parse-url.js";
import { bytesText } from "../../wire/answer-limits.js";
import { headersByName, type RecordedExchange, type RecordedMessage } from "../recorded/recorded-exchange.js";
import { maxHarBytes } from "./create-har-writer.js";
import { answeredBody, formType, property, sentBody } from "./recorded-bodies.js";

/** An exchange with the origin of its server, such as `http://127.0.0.1:4011`. */
export interface HarExchange {
  readonly origin: string;
  readonly exchange: RecordedExchange;
}

/** Some tools write it before the text. */
const byteOrderMark = String.fromCharCode(0xfe_ff);

/**
 * Reads the exchanges of a HAR file, in the order in which they ended. Omits what the browser answered itself, from its cache or for
 * `data:` URLs. Rejects with a `CouldNotRunError` that says what is wrong with the file.
 */
export async function readHar(file: string): Promise<HarExchange[]> {
  const size = await stat(file).then(
    (found) => found.size,
    (error: Error) => fail(file, error.message),
  );
  if (size > maxHarBytes) {
    const advice = "Record less at a time, or split its log.entries among several files";
    fail(file, `it has ${Math.ceil(size / 2 ** 20)} MiB, and at most ${bytesText(maxHarBytes)} are read. ${advice}`);
  }
  const text = await readFile(file, "utf8").catch((error: Error) => fail(file, error.message));
  let har: unknown;
  try {
    har = JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text);
  } catch (error) {
    const cause = isCutOff(text) ? ". It seems to be cut off: end the recording before you check it" : "";
    // Without what it quotes, which may show a secret.
    const reason = (error as SyntaxError).message.replace(/, (?:\.\.\.)?".*" is not valid JSON$/s, "");
    return fail(file, `it is not JSON: ${reason}${cause}`);
  }
  const entries = property(property(har, "log"), "entries");
  if (!Array.isArray(entries)) fail(file, "it is not a HAR file: it has no list log.entries");
  const exchanges = entries.flatMap((entry: unknown, index) => toExchange(entry, `${file}: log.entries[${index}]`));
  const hasCredentials = exchanges.some(
    ({ exchange }) => "authorization" in exchange.request.headers || "cookie" in exchange.request.headers,
  );
  // Browsers omit all credentials by default.
  return exchanges
    .map((one) => (hasCredentials ? one : { ...one, exchange: { ...one.exchange, redacted: true } }))
    .sort((a, b) => a.exchange.endedAt - b.exchange.endedAt);
}

/** Whether a text opens more lists and objects than it closes, such as a recording that a proxy still writes. */
function isCutOff(text: string): boolean {
  const rest = text.replace(/"(?:[^"\\]|\\.)*"?/gs, "");
  const count = (brackets: RegExp) => rest.match(brackets)?.length ?? 0;
  return rest.trim() === "" || count(/[[{]/g) > count(/[\]}]/g);
}

function fail(file: string, reason: string): never {
  throw new CouldNotRunError(`The recording ${file} cannot be read: ${reason}`);
}

function toExchange(entry: unknown, where: string): HarExchange[] {
  const request = property(entry, "request");
  const response = property(entry, "response");
  const [method, urlText] = [property(request, "method"), property(request, "url")];
  if (typeof method !== "string" || typeof urlText !== "string")
    return wrong(where, "request must have a method and a url");
  const startedAt = Date.parse(String(property(entry, "startedDateTime")));
  if (Number.isNaN(startedAt)) return wrong(where, "startedDateTime must be a time");
  if (property(entry, "_fromCache") || !/^https?:/i.test(urlText)) return [];
  const url = parseUrl(urlText);
  if (url === undefined) return wrong(where, "request.url is not a URL");
  const time = property(entry, "time");
  const status = property(response, "status");
  const headers = headersOf(request, where);
  const sent = sentBody(request, headers);
  const { mimeType, params } = (property(request, "postData") ?? {}) as Readonly<Record<string, unknown>>;
  const type = mimeType || (Array.isArray(params) && params.length > 0 ? formType : undefined);
  // Browsers keep the status of a response that was aborted.
  const isAborted = [entry, response].some((one) => typeof property(one, "_error") === "string");
  const answered = typeof status === "number" && status >= 100 && !isAborted;
  return [
    {
      origin: url.origin,
      exchange: {
        startedAt,
        endedAt: startedAt + (typeof time === "number" && time > 0 ? time : 0),
        request: {
          method,
          target: targetOf(urlText, url),
          // Some recorders omit the headers that the browser adds.
          headers: typeof type === "string" && sent.bodyBytes > 0 ? { "content-type": type, ...headers } : headers,
          ...sent,
        },
        ...(answered
          ? { response: { status, ...responseOf(response, status, where) } }
          : { interruption: "the recording has no response" }),
      },
    },
  ];
}

function wrong(where: string, reason: string): never {
  throw new CouldNotRunError(`${where}: ${reason}. The file must be in the format HAR 1.2`);
}

/** The target as recorded, because parsing the URL changes it. Credentials in the URL count as part of the target. */
function targetOf(text: string, url: URL): string {
  if (url.username !== "" || url.password !== "") return text.replace(/#.*$/s, "");
  return text.replace(/^https?:\/\/[^/?#]*/i, "").replace(/#.*$/s, "") || "/";
}

function headersOf(message: unknown, where: string): Record<string, string> {
  const headers = property(message, "headers");
  if (!Array.isArray(headers)) return wrong(where, "headers must be a list");
  const raw = headers.flatMap((header: unknown) => {
    const [name, value] = [property(header, "name"), String(property(header, "value") ?? "")];
    if (typeof name !== "string") return wrong(where, "a header must have a name");
    // HTTP/2 has pseudo-headers.
    return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) ? [name, value.replace(/[^\t\x20-\x7e\x80-\xff]/g, "?")] : [];
  });
  return headersByName(raw);
}

/** The headers and body of a response. Recorded bodies are decompressed, so `Content-Encoding` says nothing about them. */
function responseOf(response: unknown, status: number, where: string): RecordedMessage {
  const all = headersOf(response, where);
  const { "content-encoding": _, ...headers } = all;
  return { headers, ...answeredBody(response, status, all) };
}
