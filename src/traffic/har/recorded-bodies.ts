import { isUtf8 } from "node:buffer";
import { parseBoundedJson } from "../../base/parse-json.js";
import { percentEncode } from "../../base/percent-encode.js";
import { maskedText } from "../../judge/mask.js";
import type { RecordedMessage } from "../recorded/recorded-exchange.js";

/** A body as far as a recording shows it. */
type RecordedBody = Pick<RecordedMessage, "body" | "bodyBytes">;

/** What a recording says about the content of a body. */
interface Content {
  readonly text: string;
  readonly encoding: unknown;
  readonly type: string;
  /** The lengths that the recording names. */
  readonly lengths: readonly unknown[];
}

/** The media type of a form, which is also that of a body that is recorded as parameters. */
export const formType = "application/x-www-form-urlencoded";

const empty: RecordedBody = { body: new Uint8Array(), bodyBytes: 0 };
const unknown: RecordedBody = { body: undefined, bodyBytes: 1 };

/**
 * The body of a recorded request. Recorders omit bodies, cut them, or write a form only as `params`: whatever is not certain is unknown,
 * so that it is never taken for a mistake of the client.
 */
export function sentBody(request: unknown, headers: Readonly<Record<string, string>>): RecordedBody {
  const postData = property(request, "postData");
  const [text, params] = [property(postData, "text"), property(postData, "params")];
  const type = (headers["content-type"] ?? String(property(postData, "mimeType") ?? "")).toLowerCase();
  const length = headers["content-encoding"] === undefined ? headers["content-length"] : undefined;
  const hasParams = Array.isArray(params) && params.length > 0;
  if (typeof text === "string" && text !== "")
    return bodyOf({ text, encoding: property(postData, "encoding"), type, lengths: [length] });
  if (hasParams && (type === "" || type.startsWith(formType))) return formOf(params);
  const bodySize = property(request, "bodySize");
  // Some libraries send a media type with every request.
  const isBodiless = /^(?:GET|HEAD)$/i.test(String(property(request, "method")));
  // Browsers record no multipart bodies, and say that their size is 0.
  const isSizeKnown = !type.startsWith("multipart/") && !hasParams && !isPositive(length);
  const isNone = !text && (isBodiless || (postData == null && type === ""));
  const isUnsized = headers["transfer-encoding"] === undefined && !isPositive(bodySize);
  const isEmpty = length === "0" || (isSizeKnown && ((isNone && isUnsized) || (text === "" && bodySize === 0)));
  return isEmpty ? empty : unknown;
}

/** The body of a recorded response, in the same way. Recorded headers include `Content-Encoding`. */
export function answeredBody(
  response: unknown,
  status: number,
  headers: Readonly<Record<string, string>>,
): RecordedBody {
  const content = property(response, "content");
  const [text, size] = [property(content, "text"), property(content, "size")];
  const type = (headers["content-type"] ?? "").toLowerCase();
  const length = headers["content-encoding"] === undefined ? headers["content-length"] : undefined;
  // Every server sends some header, so the recorder omits all of them.
  if (Object.keys(headers).length === 0) return unknown;
  if (typeof text === "string" && text !== "")
    return bodyOf({ text, encoding: property(content, "encoding"), type, lengths: [length, size] });
  const isNone = status === 204 || status === 304 || length === "0";
  const isSizeKnown = !isPositive(size) && !isPositive(length);
  const isEmpty = isNone || (isSizeKnown && (type === "" || (text === "" && size === 0)));
  return isEmpty ? empty : unknown;
}

/** A byte order mark, which recorders drop, has three bytes. */
const maxMissingBytes = 3;

function bodyOf({ text, encoding, type, lengths }: Content): RecordedBody {
  const isMarked = String(encoding).toLowerCase() === "base64";
  const body = isMarked ? Buffer.from(text, "base64") : (fromBase64(text, type) ?? plainBody(text, type));
  const length = Math.max(...lengths.map(Number).filter((one) => one > 0), 0);
  // Masks change the length.
  const isCut = body.length + maxMissingBytes < length && !text.includes(maskedText);
  return isCut ? { body: undefined, bodyBytes: length } : { body, bodyBytes: body.length };
}

/** Some recorders begin the text of a form with its headers. */
function plainBody(text: string, type: string): Buffer {
  const plain = type.startsWith(formType) ? text.replace(/^(?:content-[a-z]+: [^\r\n]*\r\n)+\r\n/i, "") : text;
  return Buffer.from(plain, "utf8");
}

/** Decodes base64 that is not marked as such: the text is nothing of its media type, but what it stands for is. */
function fromBase64(text: string, type: string): Buffer | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const decoded = Buffer.from(text, "base64");
  const start = decoded.toString("latin1", 0, 200);
  if (type.startsWith("multipart/")) return start.startsWith("--") ? decoded : undefined;
  if (!isUtf8(decoded)) return undefined;
  if (type.startsWith("application/json"))
    return isObject(parseBoundedJson(decoded.toString("utf8"))) ? decoded : undefined;
  return type.startsWith(formType) && /^[\w.~%+-]+=[\x20-\x7e]*$/.test(start) ? decoded : undefined;
}

/** A form that is recorded as its parameters. Chrome writes them as sent, Firefox writes their decoded values. */
function formOf(params: readonly unknown[]): RecordedBody {
  const pairs = params.map((one) => [property(one, "name"), property(one, "value") ?? ""]);
  const texts = pairs.flat();
  const hasFile = params.some((one) => property(one, "fileName") !== undefined);
  if (hasFile || !texts.every((one) => typeof one === "string")) return unknown;
  const isEncoded =
    texts.every((one) => /^(?:[\w.~*!'()+-]|%[\da-f]{2})*$/i.test(one)) && texts.some((one) => one.includes("%"));
  const write = isEncoded ? (one: unknown) => String(one) : (one: unknown) => percentEncode(String(one));
  const body = Buffer.from(pairs.map((pair) => pair.map(write).join("=")).join("&"));
  return { body, bodyBytes: body.length };
}

function isPositive(size: unknown): boolean {
  return Number(size) > 0;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** A property of anything. Undefined if it has none. */
export function property(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value as object, name) : undefined;
}
