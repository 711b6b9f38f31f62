import { isUtf8 } from "node:buffer";
import { createWriteStream } from "node:fs";
import { STATUS_CODES } from "node:http";
import { CouldNotRunError } from "../../base/could-not-run-error.js";
import type { Mask } from "../../judge/excerpt.js";
import { isCredentialHeader } from "../../judge/find-secret-fields.js";
import { maskedText } from "../../judge/mask.js";
import type { RecordedExchange, RecordedMessage } from "../recorded/recorded-exchange.js";

/** Writes exchanges to a HAR file while a proxy runs. */
export interface HarWriter {
  /** Adds an exchange. `mask` replaces the secrets that are not recognized by their place. */
  readonly add: (exchange: RecordedExchange, mask: Mask) => void;
  /** Completes the file. Rejects with a `CouldNotRunError` if it could not be written. */
  readonly end: () => Promise<void>;
}

/** The largest file that is written and read. Even if it holds only the smallest exchanges, checking it takes less than 1 GB of memory. */
export const maxHarBytes = 64 * 1024 * 1024;
/** Larger bodies are omitted, because they would have to be searched for secrets. */
export const maxBodyBytes = 256 * 1024;
/** What the end of a file may take. */
const maxEndBytes = 200;
/** How much may wait for a slow disk; meanwhile, later exchanges are omitted. */
export const maxPendingBytes = 64 * 1024 * 1024;

/** What a recording says about itself. */
export interface HarWriterOptions {
  /** The origin of the server. */
  readonly origin: string;
  /** The version of this package. */
  readonly version: string;
  /** Defaults to the size that `accord check` reads. */
  readonly maxBytes?: number;
}

/** Opens a HAR file. Exchanges for which it has no room are omitted; it says how many. */
export function createHarWriter(file: string, options: HarWriterOptions): HarWriter {
  const { origin, version, maxBytes = maxHarBytes } = options;
  const stream = createWriteStream(file, { mode: 0o600 });
  let problem: Error | undefined;
  stream.on("error", (error) => {
    problem ??= error;
  });
  let [written, omitted, separator] = [0, 0, "\n"];
  const write = (text: string) => {
    written += Buffer.byteLength(text);
    stream.write(text);
  };
  write(`{"log":{"version":"1.2","creator":${JSON.stringify({ name: "accord proxy", version })},"entries":[`);
  return {
    add: (exchange, mask) => {
      const isBusy = problem !== undefined || stream.writableLength > maxPendingBytes;
      const entry = isBusy ? "" : separator + JSON.stringify(toEntry(exchange, origin, mask));
      if (entry === "" || written + Buffer.byteLength(entry) + maxEndBytes > maxBytes) omitted++;
      else {
        write(entry);
        separator = ",\n";
      }
    },
    end: async () => {
      const comment = omitted === 0 ? "" : `,"comment":"${omitted} more exchanges are omitted"`;
      await new Promise<void>((resolve) => {
        stream.once("close", resolve);
        stream.end(`\n]${comment}}}\n`);
        if (stream.destroyed) resolve();
      });
      if (problem !== undefined)
        throw new CouldNotRunError(`The recording ${file} cannot be written: ${problem.message}`);
    },
  };
}

/** An entry of HTTP Archive 1.2. Source: http://www.softwareishard.com/blog/har-12-spec/ */
function toEntry(exchange: RecordedExchange, origin: string, mask: Mask): object {
  const { startedAt, endedAt, request, response, interruption, malformed } = exchange;
  const url = mask(/^https?:/i.test(request.target) ? request.target : `${origin}${request.target}`);
  const time = Math.max(0, endedAt - startedAt);
  const { status = 0, headers = {}, bodyBytes = -1 } = response ?? {};
  const isPlain = headers["content-encoding"] === undefined;
  const type = (all: RecordedMessage["headers"]) => ({ mimeType: all["content-type"] ?? "" });
  const common = { httpVersion: "HTTP/1.1", cookies: [], headersSize: -1 };
  const comment = malformed ?? interruption;
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time,
    request: {
      ...common,
      method: request.method,
      url,
      headers: headersOf(request.headers, mask),
      queryString: [...new URLSearchParams(url.split("?", 2)[1] ?? "")].map(([name, value]) => ({ name, value })),
      ...(request.bodyBytes === 0 ? {} : { postData: { ...type(request.headers), ...textOf(request, mask) } }),
      bodySize: request.bodyBytes,
    },
    response: {
      ...common,
      status,
      statusText: STATUS_CODES[status] ?? "",
      headers: headersOf(headers, mask),
      content: {
        size: Math.max(bodyBytes, 0),
        ...type(headers),
        ...(response !== undefined && isPlain ? textOf(response, mask) : {}),
      },
      redirectURL: mask(headers.location ?? ""),
      bodySize: bodyBytes,
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    comment: comment && mask(comment),
  };
}

/** A body as masked text. Empty if it is too large, or not text and so cannot be searched for secrets. */
function textOf({ body }: RecordedMessage, mask: Mask): { readonly text?: string } {
  if (body === undefined || body.length > maxBodyBytes || !isUtf8(body)) return {};
  return { text: mask(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8")) };
}

function headersOf(headers: RecordedMessage["headers"], mask: Mask): object[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value: maskedHeader(name, value, mask) }));
}

/** Masks a header so that the form of credentials stays recognizable. */
function maskedHeader(name: string, value: string, mask: Mask): string {
  if (name === "authorization") return maskedAuthorization(value);
  // The value of a cookie, or a whole cookie that has no name.
  if (name === "cookie") return value.replace(/[^;]+/g, (pair) => `${/^[^=]*=/.exec(pair)?.[0] ?? ""}${maskedText}`);
  return isCredentialHeader(name) ? maskedText : mask(`${name}: ${value}`).slice(name.length + 2);
}

function maskedAuthorization(value: string): string {
  const [, scheme = "", credentials = ""] = /^([A-Za-z]{1,20})\s+(\S+)\s*$/.exec(value) ?? [];
  const decoded = scheme.toLowerCase() === "basic" ? Buffer.from(credentials, "base64").toString("utf8") : "";
  const user = /^([^:]+):./s.exec(decoded)?.[1];
  const masked = user === undefined ? maskedText : Buffer.from(`${user}:${maskedText}`).toString("base64");
  return scheme === "" ? masked : `${scheme} ${masked}`;
}
