import { isUtf8 } from "node:buffer";
import { createWriteStream } from "node:fs";
import { STATUS_CODES } from "node:http";
import { CouldNotRunError } from "../../could-not-run-error.js";
import type { Mask } from "../../excerpt.js";
import { isCredentialHeader } from "../../find-secret-fields.js";
import { maskedText } from "../../mask.js";
import { attempt } from "../forward/errors.js";
import type { RecordedExchange, RecordedMessage } from "../traffic.js";
import { type HarContent, type HarEntry, type HarPair, type HarPostData, maxHarBytes } from "./har.js";

/** Writes exchanges to a HAR file while a proxy runs. */
export interface HarWriter {
  /** Adds an exchange. `mask` replaces the secrets that are not recognized by their place. */
  readonly add: (exchange: RecordedExchange, mask: Mask) => void;
  /** Completes the file. Rejects with a `CouldNotRunError` if it could not be written. */
  readonly end: () => Promise<void>;
}

/** Larger bodies are omitted, because they would have to be searched for secrets. */
const maxBodyBytes = 256 * 1024;
/** What the end of a file may take. */
const maxEndBytes = 200;
/** How much may wait for a slow disk; meanwhile, later exchanges are omitted. */
const maxPendingBytes = 64 * 1024 * 1024;

/** What a recording says about itself, and its size. */
export interface HarWriterOptions {
  /** The origin of the server. */
  readonly origin: string;
  /** The version of this package. */
  readonly version: string;
  /** Exchanges for which the file has no room are omitted. Defaults to the size that `accord check` reads. */
  readonly maxBytes?: number;
}

/** Opens a HAR file. */
export function createHarWriter(
  file: string,
  { origin, version, maxBytes = maxHarBytes }: HarWriterOptions,
): HarWriter {
  const stream = createWriteStream(file, { mode: 0o600 });
  let problem: Error | undefined;
  stream.on("error", (error) => {
    problem ??= error;
  });
  let [written, omitted, isFirst] = [0, 0, true];
  const write = (text: string) => {
    written += Buffer.byteLength(text);
    stream.write(text);
  };
  write(`{"log":{"version":"1.2","creator":${JSON.stringify({ name: "accord proxy", version })},"entries":[`);
  return {
    add: (exchange, mask) => {
      omitted++;
      if (problem !== undefined || stream.writableLength > maxPendingBytes) return;
      attempt(
        () => {
          const entry = `${isFirst ? "\n" : ",\n"}${JSON.stringify(toEntry(exchange, origin, mask))}`;
          if (written + Buffer.byteLength(entry) + maxEndBytes > maxBytes) return;
          write(entry);
          isFirst = false;
          omitted--;
        },
        // The file says how many are omitted.
        () => {},
      );
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

function toEntry(
  { startedAt, endedAt, request, response, interruption, malformed }: RecordedExchange,
  origin: string,
  mask: Mask,
): HarEntry {
  const isAbsolute = /^https?:/i.test(request.target);
  const url = mask(isAbsolute ? request.target : `${origin}${request.target}`);
  const query = [...new URLSearchParams(url.split("?", 2)[1] ?? "")].map(([name, value]) => ({ name, value }));
  const time = Math.max(0, endedAt - startedAt);
  const sent = textOf(request, mask);
  const comment = malformed ?? interruption;
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time,
    request: {
      method: request.method,
      url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: headersOf(request, mask),
      queryString: query,
      ...(request.bodyBytes === 0 ? {} : { postData: postData(request, sent) }),
      headersSize: -1,
      bodySize: request.bodyBytes,
    },
    response: {
      status: response?.status ?? 0,
      statusText: STATUS_CODES[response?.status ?? 0] ?? "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: response === undefined ? [] : headersOf(response, mask),
      content: contentOf(response, mask),
      redirectURL: mask(response?.headers.location ?? ""),
      headersSize: -1,
      bodySize: response?.bodyBytes ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    ...(comment === undefined ? {} : { comment: mask(comment) }),
  };
}

function postData({ headers }: RecordedMessage, text: string | undefined): HarPostData {
  return { mimeType: headers["content-type"] ?? "", ...(text === undefined ? {} : { text }) };
}

function contentOf(response: RecordedExchange["response"], mask: Mask): HarContent {
  if (response === undefined) return { size: 0, mimeType: "" };
  const isPlain = response.headers["content-encoding"] === undefined;
  const text = isPlain ? textOf(response, mask) : undefined;
  return {
    size: response.bodyBytes,
    mimeType: response.headers["content-type"] ?? "",
    ...(text === undefined ? {} : { text }),
  };
}

/** A body as masked text. Undefined if it is too large, or not text and so cannot be searched for secrets. */
function textOf({ body }: RecordedMessage, mask: Mask): string | undefined {
  if (body === undefined || body.length > maxBodyBytes || !isUtf8(body)) return undefined;
  return mask(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8"));
}

function headersOf({ headers }: RecordedMessage, mask: Mask): HarPair[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value: maskedHeader(name, value, mask) }));
}

/** Masks a header so that the form of credentials stays recognizable. */
function maskedHeader(name: string, value: string, mask: Mask): string {
  if (name === "authorization") return maskedAuthorization(value);
  if (name === "cookie") return value.replace(/[^;]+/g, (pair) => pair.replace(/=.*|^(?!.*=).*/s, maskedPart));
  return isCredentialHeader(name) ? maskedText : mask(`${name}: ${value}`).slice(name.length + 2);
}

/** What follows the name of a cookie, or a whole cookie that has no name. */
function maskedPart(part: string): string {
  return part.startsWith("=") ? `=${maskedText}` : maskedText;
}

function maskedAuthorization(value: string): string {
  const [, scheme = "", credentials = ""] = /^([A-Za-z]{1,20})\s+(\S+)\s*$/.exec(value) ?? [];
  if (scheme.toLowerCase() !== "basic") return scheme === "" ? "***" : `${scheme} ***`;
  const decoded = Buffer.from(credentials, "base64").toString("utf8");
  const user = /^([^:]+):./s.exec(decoded)?.[1];
  return user === undefined ? `${scheme} ***` : `${scheme} ${Buffer.from(`${user}:***`).toString("base64")}`;
}
