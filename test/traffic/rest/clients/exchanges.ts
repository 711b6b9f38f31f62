import { operations } from "../../../../generated/chat/operations.js";
import { encode as encodeRequest } from "../../../../src/request/encode.js";
import type { Operation } from "../../../../src/request/operation.js";
import type { DecodedExchange } from "../../../../src/traffic/rest/exchange/decode-exchange.js";

/** The parts of an exchange that a test sets. The rest is that of an ordinary success. */
export interface ExchangeOptions {
  /** Who sends it: the name of a user, or undefined for a request without credentials, as is usual for the settings. Defaults to `iago`. */
  readonly as?: string | undefined;
  /** When the request starts, in seconds since the start of the test. Defaults to one second after the exchange before it. */
  readonly at?: number;
  /** How many seconds it takes. Defaults to 0.1. */
  readonly took?: number;
  readonly status?: number;
  /** The fields of the response besides `result` and `msg`, its text, or null if there was no response. */
  readonly answer?: Readonly<Record<string, unknown>> | string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** The path below `/api/v1`, if it is not that of an operation. */
  readonly target?: string;
  /** The whole path, if it is outside the API. */
  readonly outside?: string;
  readonly method?: string;
  /** Defaults to an unknown one. */
  readonly connection?: number;
  readonly bodyBytes?: number;
  /** The body of the request, if it is not the form of the parameters. */
  readonly body?: string;
}

/** A call to an operation, or to `undefined` if the contract of the server's level has no such operation. */
export type Call = readonly [
  operation: keyof typeof operations | undefined,
  parameters?: Readonly<Record<string, unknown>>,
  options?: ExchangeOptions,
];

/** A mistake of a client: what it sends and gets, and the one rule that it breaks. */
export interface PlantedMistake {
  readonly name: string;
  readonly rule: string;
  readonly calls: readonly Call[];
  /** The feature level of the server. Defaults to the newest. */
  readonly level?: number;
}

/** A sequence of exchanges of clients that keep every rule. */
export interface CleanSequence {
  readonly name: string;
  readonly calls: readonly Call[];
  /** The rules that it could have broken. */
  readonly keeps: readonly string[];
  /** The feature level of the server. Defaults to the newest. */
  readonly level?: number;
}

/** The start of every test, in milliseconds since 1970. */
export const start = Date.UTC(2026, 0, 5, 9);

/** Turns calls into exchanges as a proxy hands them to a judge, in the order in which they end. */
export function exchanges(calls: readonly Call[]): DecodedExchange[] {
  let clock = 0;
  const result = calls.map((call) => {
    const { at = clock, took = 0.1 } = call[2] ?? {};
    clock = at + 1;
    return exchange(call, start + at * 1000, start + (at + took) * 1000);
  });
  return result.sort((a, b) => a.recorded.endedAt - b.recorded.endedAt);
}

function exchange([id, parameters = {}, options = {}]: Call, startedAt: number, endedAt: number): DecodedExchange {
  const { answer = {}, status = typeof answer === "object" && answer !== null && "code" in answer ? 400 : 200 } =
    options;
  const as = "as" in options ? options.as : id === "getServerSettings" ? undefined : "iago";
  const { method, target, body } = encode(id, parameters, options);
  const text =
    answer === null
      ? undefined
      : typeof answer === "string"
        ? answer
        : JSON.stringify(
            "code" in answer
              ? { result: "error", msg: "Refused", ...answer }
              : { result: "success", msg: "", ...answer },
          );
  const parsed: unknown = text === undefined || text === "" ? undefined : JSON.parse(text);
  const { bodyBytes = body.length } = options;
  return {
    operation: id,
    prefix: "/api/v1",
    parameters: Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined)),
    caller: as,
    answer: parsed,
    recorded: {
      startedAt,
      endedAt,
      connection: options.connection,
      request: {
        method,
        target,
        headers: {
          ...(as === undefined
            ? {}
            : { authorization: `Basic ${Buffer.from(`${as}@example.com:key`).toString("base64")}` }),
          ...(body.length === 0 ? {} : { "content-type": "application/x-www-form-urlencoded" }),
          ...options.headers,
        },
        body: bodyBytes === body.length ? body : undefined,
        bodyBytes,
      },
      ...(text === undefined
        ? {}
        : {
            response: {
              status,
              headers: { "content-type": "application/json", ...options.responseHeaders },
              body: Buffer.from(text),
              bodyBytes: Buffer.byteLength(text),
            },
          }),
    },
  };
}

function encode(id: Call[0], parameters: Readonly<Record<string, unknown>>, options: ExchangeOptions) {
  if (options.outside !== undefined) return { method: "GET", target: options.outside, body: Buffer.alloc(0) };
  if (id === undefined || options.target !== undefined) {
    return { method: options.method ?? "GET", target: `/api/v1${options.target}`, body: Buffer.alloc(0) };
  }
  const operation: Operation = operations[id];
  const { method, path, query, body } = encodeRequest(operation, parameters);
  return {
    method,
    target: `/api/v1${path}${query === "" ? "" : `?${query}`}`,
    body: Buffer.from(options.body ?? (body?.kind === "content" ? String(body.content) : "")),
  };
}
