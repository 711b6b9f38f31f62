import { createHash } from "node:crypto";
import { once } from "../../../base/once.js";
import { parseRetryAfter } from "../../../http/retry-after.js";
import type { DecodedExchange } from "../exchange/decode-exchange.js";
import type { AllOperations } from "../exchange/operations-at-level.js";

/** The parts of an exchange that patterns test, computed when they are first needed. */
export interface ExchangeView {
  readonly exchange: DecodedExchange;
  /** Whether everything that the request sends is known: it has no body, or a form that was recorded. */
  readonly isRead: boolean;
  /** The names of the parameters that the request sends, known or not. */
  readonly names: () => readonly string[];
  /** The texts of the numbers that the request sends. */
  readonly numbers: () => readonly string[];
  /** The texts of the integers above 2^53 in the response. */
  readonly largeIntegers: () => readonly string[];
  /** The lowest level with everything that the request uses. Undefined if no level has the operation. */
  readonly level: () => number | undefined;
  /** Identifies requests that are equal except for their headers. */
  readonly request: () => string;
  /** When the response allows the request to be repeated, in milliseconds since 1970. Undefined without such a header, and if it is malformed. */
  readonly retryAfter: () => number | undefined;
}

/** How many milliseconds before `Retry-After` a repeat may start: timers fire early, and a date has no milliseconds. */
const toleranceOfSeconds = 50;
const toleranceOfDates = 1000;

const formType = /^application\/x-www-form-urlencoded\b/i;
const multipartType = /^multipart\/form-data\b/i;

/** Creates the view of an exchange. */
export function viewExchange(exchange: DecodedExchange, all: AllOperations): ExchangeView {
  const { request, response, endedAt } = exchange.recorded;
  const fields = once(() => [...new URLSearchParams(request.target.replace(/^[^?]*/, "")), ...formFields(exchange)]);
  const path = pathBelow(pathOf(request.target), exchange.prefix);
  const names = once(() => [...new Set([...fields().map(([name]) => name), ...partNames(exchange)])]);
  return {
    exchange,
    isRead: isRead(exchange),
    names,
    numbers: once(() => {
      const texts = [path ?? pathOf(request.target), ...fields().map(([, value]) => value)];
      // In a form, `+` is a space.
      return texts
        .flatMap((text) => text.match(/(?<![\w.-])-?\d+(?:\.\d+)?(?:[eE][+ ]?\d+)?(?![\w.])/g) ?? [])
        .map((number) => number.replace(" ", "+"));
    }),
    largeIntegers: once(() =>
      [...new Set(answerText(exchange).match(/(?<![\w."-])\d{16,30}(?![\w."])/g))].filter(
        (digits) => BigInt(digits) > BigInt(Number.MAX_SAFE_INTEGER),
      ),
    ),
    level: once(() => neededLevel(all, request.method, path ?? "", names())),
    request: once(() => {
      const hash = createHash("sha256").update(`${request.method} ${request.target} ${request.bodyBytes} `);
      return hash.update(request.body ?? "").digest("base64");
    }),
    retryAfter: once(() => {
      const wait = parseRetryAfter(response?.headers["retry-after"]);
      if (wait === undefined) return undefined;
      if ("seconds" in wait) return endedAt + wait.seconds * 1000 - toleranceOfSeconds;
      // The clock of the server may differ from that of the recording.
      const sent = Date.parse(response?.headers.date ?? "");
      return wait.date + (Number.isNaN(sent) ? 0 : endedAt - sent) - toleranceOfDates;
    }),
  };
}

/** The lowest level that has an operation and the named parameters. Undefined if no level has the operation. */
function neededLevel(
  { route, levels }: AllOperations,
  method: string,
  path: string,
  names: readonly string[],
): number | undefined {
  const match = route(method, path);
  if (match.kind !== "found") return undefined;
  const { added = 0, parameters = {} } = levels.get(match.operationId) ?? {};
  return names.reduce((level, name) => Math.max(level, parameters[name]?.added ?? 0), added);
}

/** The part of a path below the last occurrence of the path of the API. Undefined if it is not below it. */
function pathBelow(path: string, prefix: string): string | undefined {
  const at = path.lastIndexOf(`${prefix}/`);
  return at < 0 ? undefined : path.slice(at + prefix.length);
}

function isRead(exchange: DecodedExchange): boolean {
  const { body, bodyBytes, headers } = exchange.recorded.request;
  if (bodyBytes === 0) return true;
  if (body === undefined || headers["content-encoding"] !== undefined) return false;
  return formType.test(headers["content-type"] ?? "") || partNames(exchange).length > 0;
}

function pathOf(target: string): string {
  return target.split("?", 1)[0] ?? "";
}

function formFields({ recorded: { request } }: DecodedExchange): Iterable<[string, string]> {
  if (request.body === undefined || !formType.test(request.headers["content-type"] ?? "")) return [];
  return new URLSearchParams(Buffer.from(request.body).toString("utf8"));
}

/** The names of the parts of a multipart form. */
function partNames({ recorded: { request } }: DecodedExchange): string[] {
  if (request.body === undefined || !multipartType.test(request.headers["content-type"] ?? "")) return [];
  const text = Buffer.from(request.body).toString("utf8");
  return [...text.matchAll(/^content-disposition:[^\r\n]*?[; ]name="([^"\r\n]*)"/gim)].map(([, name = ""]) => name);
}

function answerText({ answerText: text, answer, recorded: { response } }: DecodedExchange): string {
  if (text !== undefined) return text;
  if (answer === undefined || response?.body === undefined) return "";
  return Buffer.from(response.body.buffer, response.body.byteOffset, response.body.byteLength).toString("latin1");
}
