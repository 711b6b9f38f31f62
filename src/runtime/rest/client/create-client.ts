import { parseJson } from "../../../base/parse-json.js";
import { parseUrl } from "../../../base/parse-url.js";
import { redirectFault } from "../../../base/redirect-fault.js";
import { isInRange, isJsonType, mediaType } from "../../../http/media-type.js";
import type { EncodedRequest, RequestValues } from "../../../request/create-encode.js";
import { encode } from "../../../request/encode.js";
import { type Api, type ApiOperation, typesOfResponse } from "../api.js";
import type { AnyResult, ArgumentsOf, IdOf, ResultOf } from "../types.js";
import { ResponseTooLargeError, UnexpectedResponseError } from "./errors.js";
import { type Credentials, type Login, loginOf } from "./login.js";
import { limitBody } from "./response-limit.js";
import { type RetryOptions, retryingFetch } from "./retry.js";
import { createSend } from "./send.js";
import type { UploadProgress } from "./upload-progress.js";

/** How to reach an API. */
export interface ConnectionOptions {
  /** Replaces the global `fetch`, for instance in tests. */
  readonly fetch?: typeof globalThis.fetch;
  /** How to retry after a 429. */
  readonly retry?: RetryOptions;
  /** Maximum size of a response in bytes, decompressed; calls with a larger one fail with a `ResponseTooLargeError`. Defaults to 64 MiB. */
  readonly maxBytes?: number;
  /** Ends calls that take longer, in milliseconds, with a `TimeoutError`. Defaults to no limit. */
  readonly timeoutMs?: number;
}

/** The server and the credentials of the caller. */
export interface ClientOptions<Schemes extends Credentials = Credentials> extends ConnectionOptions {
  /** The URL of the API, such as `https://museum.example/v1`. Defaults to that of the document. */
  readonly baseUrl?: string;
  /** The credentials by the names of the security schemes. Each call carries those of the first alternative that are all there. */
  readonly credentials?: Schemes;
}

/** Options of a single call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Ends the call if it takes longer, instead of `timeoutMs` of the client. */
  readonly timeoutMs?: number;
  /** Further headers. They override those of the client, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called repeatedly while the request body is sent, if any. In browsers, the call then uses `XMLHttpRequest` instead of `fetch`. */
  readonly onUploadProgress?: (progress: UploadProgress) => void;
}

/** One function per operation. */
export type Client<Operations> = {
  readonly [Id in IdOf<Operations>]: (
    ...args: ArgumentsOf<Operations[Id], CallOptions>
  ) => Promise<ResultOf<Operations[Id]>>;
};

/**
 * Creates a client of an API.
 *
 * Every operation is a function that takes its parameters in one flat object and returns a union, discriminated by `ok` and
 * `status`. Network failures and aborts reject as in `fetch`; a response that is not one of the API rejects with an
 * `UnexpectedResponseError`. Redirects are never followed, because requests and credentials are meant for the server at `baseUrl` alone.
 * Throws a `TypeError` if `baseUrl` is not an http or https URL or contains credentials, a query or a fragment, and a `RangeError` for a
 * limit out of range.
 *
 * Integers are JavaScript numbers: values above 2^53 become the nearest double.
 */
export function createClient<Operations>(api: Api, options: ClientOptions = {}): Client<Operations> {
  const { credentials = {} } = options;
  // Fails early for credentials that cannot be sent.
  for (const scheme of Object.keys(credentials)) loginOf(api, [[scheme]], credentials);
  const call = createCall(
    {
      ...api,
      baseUrl: rootUrl(options.baseUrl ?? api.url),
      encode: (id, values) => encode(operationOf(api, id), values),
      loginOf: (id) => loginOf(api, operationOf(api, id).security ?? api.security, credentials),
      isDocumented: (id, response) => isDocumented(operationOf(api, id), response),
    },
    options,
  );
  const calls = Object.keys(api.operations).map((id) => [
    id,
    (values?: RequestValues, callOptions?: CallOptions) => call(id, values, callOptions),
  ]);
  return Object.fromEntries(calls);
}

function operationOf({ operations }: Api, id: string): ApiOperation {
  const operation = operations[id];
  if (operation === undefined) throw new TypeError(`The API has no operation ${id}`);
  return operation;
}

/** What makes calls those of an API. */
export interface CallParts extends Pick<Api, "success" | "error"> {
  /** Checked already. */
  readonly baseUrl: string;
  readonly encode: (operationId: string, values: RequestValues) => EncodedRequest | Promise<EncodedRequest>;
  /** What calls of an operation carry. */
  readonly loginOf: (operationId: string) => Partial<Login>;
  /** Whether a response has a documented status and media type. Undefined if the status is not documented. Defaults to neither. */
  readonly isDocumented?: (operationId: string, response: Response) => boolean | undefined;
}

/** Calls an operation of an API. */
export type Call = (operationId: string, values?: RequestValues, options?: CallOptions) => Promise<AnyResult>;

/** Creates a function that calls the operations of an API. */
export function createCall(parts: CallParts, options: ConnectionOptions): Call {
  const { maxBytes = 64 * 1024 * 1024 } = options;
  if (!(maxBytes >= 1)) throw new RangeError(`maxBytes is ${maxBytes}: pass a number of bytes from 1`);
  const fetch = options.fetch ?? ((input: RequestInfo | URL, init?: RequestInit) => globalThis.fetch(input, init));
  const limit = { maxBytes, createError: () => new ResponseTooLargeError(maxBytes) };
  const fetchWithRetries = retryingFetch(fetch, options.retry);
  const send = createSend(parts.baseUrl);

  return async (id, values = {}, { onUploadProgress, ...callOptions } = {}) => {
    const encoded = await parts.encode(id, values);
    const { headers, query } = parts.loginOf(id);
    // Load this module lazily, because few calls report progress.
    const progress =
      onUploadProgress && encoded.body !== undefined
        ? (await import("./upload-progress.js")).fetchWithUploadProgress(fetch, onUploadProgress, limit)
        : undefined;
    const { response, error } = await send({
      ...encoded,
      query: [encoded.query, query].filter(Boolean).join("&"),
      headers: { ...encoded.headers, ...headers, ...callOptions.headers },
      signal: signalOf(callOptions.signal, callOptions.timeoutMs ?? options.timeoutMs),
      fetch: async (request) => {
        const response = await (progress ?? fetchWithRetries)(request);
        if (parts.isDocumented?.(id, response) === undefined) await refuseRedirect(id, response, request.url);
        return limitBody(response, limit);
      },
    });
    const body = response.ok ? await readBody(id, response) : error;
    const isOk =
      parts.isDocumented?.(id, response) === false && body !== undefined ? undefined : judge(parts, response, body);
    if (typeof isOk !== "boolean") throw new UnexpectedResponseError(id, response, isOk);
    const { status } = response;
    return isOk ? { ok: true, status, data: body, response } : { ok: false, status, error: body, response };
  };
}

/** Returns the root URL of an API without a slash at the end. Throws a `TypeError` if it cannot be one. */
export function rootUrl(baseUrl = ""): string {
  const url = parseUrl(baseUrl);
  // A URL without query, fragment and credentials consists of origin and path. The message omits the URL, which may hold a secret.
  if (url === undefined || !/^https?:/.test(url.href) || url.href !== url.origin + url.pathname) {
    throw new TypeError(
      "baseUrl must be an http or https URL such as https://api.example.com, without credentials or query",
    );
  }
  return url.href.replace(/\/+$/, "");
}

function signalOf(signal: AbortSignal | undefined, timeoutMs: number | undefined): AbortSignal | undefined {
  if (timeoutMs === undefined) return signal;
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}

/** Throws an `UnexpectedResponseError` for a redirect, also for one that was followed by a replaced `fetch` or `XMLHttpRequest`. */
async function refuseRedirect(operationId: string, response: Response, url: string): Promise<void> {
  const location = response.headers.get("Location");
  const problem = response.redirected
    ? `the server redirected to ${parseUrl(response.url)?.origin}, and redirects are not allowed`
    : response.type === "opaqueredirect"
      ? // Browsers hide the status and the target.
        "the server redirects, and a redirect is not followed"
      : redirectFault({ status: response.status, location }, url);
  if (problem === undefined) return;
  await response.body?.cancel();
  throw new UnexpectedResponseError(operationId, response, `${problem}; check baseUrl`);
}

/** Reads the body of a success: JSON, a text, or else a file. Undefined if it is empty. */
async function readBody(operationId: string, response: Response): Promise<unknown> {
  const type = mediaType(response.headers.get("Content-Type"));
  if (type !== "" && !isJsonType(type) && !type.startsWith("text/")) return response.blob();
  const text = await response.text();
  if (text === "") return undefined;
  if (!isJsonType(type)) return text;
  const value = parseJson(text);
  if (value === undefined) throw new UnexpectedResponseError(operationId, response);
  return value;
}

/**
 * Whether a response is a success. Undefined, or what is wrong with it, if it is none of the API: it lacks the member that tells the errors
 * of the API from its successes.
 */
function judge({ success, error }: CallParts, response: Response, body: unknown): boolean | undefined | string {
  for (const name in success) {
    const wanted = error?.members[name];
    if (wanted === undefined) continue;
    if (typeof body !== "object" || body === null || !(name in body)) return undefined;
    const found: unknown = Reflect.get(body, name);
    if (!response.ok && found === success[name])
      return `expected an error with status ${response.status}, got a body with the ${name} ${found}`;
    // Some APIs have errors whose status is that of a success.
    return response.ok && found !== wanted;
  }
  return response.ok;
}

/** Whether a response has a documented media type, or JSON like one. Undefined if its status is not documented. */
function isDocumented({ responses }: ApiOperation, { status, headers }: Response): boolean | undefined {
  const types = typesOfResponse(responses, status);
  if (types === undefined || types.length === 0) return types && true;
  const found = mediaType(headers.get("Content-Type"));
  return types.some((type) => {
    const wanted = mediaType(type);
    if (isJsonType(wanted) && isJsonType(found)) return true;
    return isInRange(found, wanted);
  });
}
