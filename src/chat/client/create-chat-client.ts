import createFetchClient from "openapi-fetch";
import { parseJson } from "../../base/parse-json.js";
import { parseUrl } from "../../base/parse-url.js";
import { redirectFault } from "../../base/redirect-fault.js";
import { mediaType } from "../../http/media-type.js";
import { createEncode, type EncodedBody, type RequestValues } from "../../request/create-encode.js";
import { inputsOf } from "../../request/operation.js";
import type { ChatOperation } from "../operation.js";
import { type CallParameters, type CallResult, callableOperations, type OperationId } from "../operation-types.js";
import { type FeatureName, supports } from "../supports.js";
import { ResponseTooLargeError, UnexpectedResponseError, UnsupportedFeatureError } from "./errors.js";
import { limitText } from "./response-limit.js";
import { type RetryOptions, retryingFetch } from "./retry.js";
import type { UploadProgress } from "./upload-progress.js";

/** The server and the credentials of the caller. */
export interface ChatClientOptions {
  /** The URL of the server, such as `https://chat.example.com`; with or without `/api/v1`. */
  readonly baseUrl: string;
  /** The e-mail address of the user or bot. Optional for operations that need no login. */
  readonly email?: string;
  /** The API key that belongs to `email`. */
  readonly apiKey?: string;
  /** Replaces the global `fetch`, for instance in tests. */
  readonly fetch?: typeof globalThis.fetch;
  /** How to retry after a 429. */
  readonly retry?: RetryOptions;
  /** Maximum size of a response in bytes, decompressed; calls with a larger one fail with a `ResponseTooLargeError`. Defaults to 64 MiB. */
  readonly maxBytes?: number;
  /**
   * The `service_feature_level` of the server. If given, calls with an operation or parameter that the server lacks fail with an
   * `UnsupportedFeatureError` before anything is sent.
   */
  readonly featureLevel?: number;
}

/** Options of a single call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Further headers. They override those of the client, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called repeatedly while the request body is sent, if any. In browsers, the call then uses `XMLHttpRequest` instead of `fetch`. */
  readonly onUploadProgress?: (progress: UploadProgress) => void;
}

type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];
type CallArguments<Id extends OperationId> = [RequiredKeys<CallParameters<Id>>] extends [never]
  ? [parameters?: CallParameters<Id>, options?: CallOptions]
  : [parameters: CallParameters<Id>, options?: CallOptions];

/** One function per operation, and `tus` for resumable uploads. */
export type ChatClient = {
  readonly [Id in OperationId]: (...args: CallArguments<Id>) => Promise<CallResult<Id>>;
} & {
  /** Endpoint and headers for a tus 1.0.0 client such as tus-js-client. The headers hold the API key. */
  readonly tus: () => { readonly endpoint: string; readonly headers: Readonly<Record<string, string>> };
};

/**
 * Creates a client of the chat API.
 *
 * Every operation is a function that takes its parameters in one flat object and returns a union, discriminated by `ok` and
 * `status`, and for errors by `error.code`. Network failures and aborts reject as in `fetch`; a response that is not from a chat
 * server, or redirects, rejects with an `UnexpectedResponseError`. Redirects are never followed, because requests and credentials are
 * meant for the server at `baseUrl` alone. Throws a `TypeError` if `baseUrl` is not an http or https URL or contains credentials, a
 * query or a fragment, if only one of `email` and `apiKey` is given, or if `email` contains a colon, and a `RangeError` for a limit out
 * of range.
 *
 * Integers are JavaScript numbers: values above 2^53, such as the anchor for `newest`, become the nearest double.
 */
export function createChatClient(options: ChatClientOptions): ChatClient {
  const baseUrl = apiUrl(options.baseUrl);
  const authorization = basicAuthorization(options.email, options.apiKey);
  const send = options.fetch ?? ((input: RequestInfo | URL, init?: RequestInit) => globalThis.fetch(input, init));
  const { maxBytes = 64 * 1024 * 1024 } = options;
  if (!(maxBytes >= 1)) throw new RangeError(`maxBytes is ${maxBytes}: pass a number of bytes from 1`);
  const limit = { maxBytes, createError: () => new ResponseTooLargeError(maxBytes) };
  const sendWithRetries = retryingFetch(send, options.retry);
  const { request } = createFetchClient<object>({ baseUrl }) as unknown as UntypedClient;

  async function call(operationId: string, operation: ChatOperation, values: RequestValues, callOptions: CallOptions) {
    if (options.featureLevel !== undefined) refuseUnsupported(operation, values, options.featureLevel);
    const encoded = encode(operation, values);
    const { onUploadProgress } = callOptions;
    // Load this module lazily, because few calls report progress.
    const progress =
      onUploadProgress && encoded.body !== undefined
        ? (await import("./upload-progress.js")).fetchWithUploadProgress(send, onUploadProgress, limit)
        : undefined;
    // Path, query and body are already encoded as the contract requires.
    const { response, data, error } = await request(encoded.method.toLowerCase(), encoded.path, {
      headers: {
        ...(encoded.body?.kind === "content" ? { "Content-Type": encoded.body.type } : {}),
        ...(operation.auth === false ? {} : authorization),
        ...callOptions.headers,
      },
      parseAs: "text",
      redirect: "manual",
      querySerializer: () => encoded.query,
      ...(encoded.body === undefined ? {} : { body: contentOf(encoded.body), bodySerializer: asIs }),
      ...(callOptions.signal === undefined ? {} : { signal: callOptions.signal }),
      fetch: async (request: Request) => {
        const response = await (progress ?? sendWithRetries)(request);
        await refuseRedirect(operationId, response, request.url);
        return limitText(response, limit);
      },
    });
    const body = response.ok ? parseEnvelope(data, response) : error;
    if (!isEnvelope(body)) throw new UnexpectedResponseError(operationId, response);
    if (!response.ok && body.result === "success") {
      const problem = `expected an error with status ${response.status}, got a body with the result success`;
      throw new UnexpectedResponseError(operationId, response, problem);
    }
    // The requirements do not state the status of most errors, so an error may have status 200.
    return response.ok && body.result !== "error"
      ? { ok: true, status: response.status, data: body, response }
      : { ok: false, status: response.status, error: body, response };
  }

  const calls = Object.entries(callableOperations).map(([id, operation]) => [
    id,
    (values: RequestValues = {}, options: CallOptions = {}) => call(id, operation, values, options),
  ]);
  return { ...Object.fromEntries(calls), tus: () => ({ endpoint: `${baseUrl}/tus`, headers: { ...authorization } }) };
}

/** The contract has no styles. */
const encode = createEncode();

/** The library can only type operations that are known at compile time; `ChatClient` types the calls instead. */
interface UntypedClient {
  request(method: string, path: string, init: object): Promise<{ response: Response; data?: unknown; error?: unknown }>;
}

/** The root URL of the API. Throws a `TypeError` if `baseUrl` is malformed. */
function apiUrl(baseUrl: string): string {
  const url = parseUrl(baseUrl);
  // A URL without query, fragment and credentials consists of origin and path. The message omits the URL, which may hold a secret.
  if (url === undefined || !/^https?:/.test(url.href) || url.href !== url.origin + url.pathname) {
    throw new TypeError(
      "baseUrl must be an http or https URL such as https://chat.example.com, without credentials or query",
    );
  }
  return `${url.href.replace(/\/+$/, "").replace(/\/api\/v1$/, "")}/api/v1`;
}

/** HTTP Basic credentials (RFC 7617), in UTF-8. */
function basicAuthorization(email: string | undefined, apiKey: string | undefined): Record<string, string> {
  if (email === undefined && apiKey === undefined) return {};
  if (email === undefined || apiKey === undefined) {
    throw new TypeError(`email and apiKey belong together; ${email === undefined ? "email" : "apiKey"} is missing`);
  }
  // RFC 7617, section 2: a server would split the credentials at this colon.
  if (email.includes(":")) throw new TypeError("email must not contain a colon");
  const bytes = new TextEncoder().encode(`${email}:${apiKey}`);
  return { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

function refuseUnsupported(operation: ChatOperation, values: RequestValues, level: number): void {
  const used = inputsOf(operation).flatMap(({ name }) => (values[name] === undefined ? [] : name));
  for (const feature of [operation.feature, ...used.map((name) => `${operation.feature}.${name}`)]) {
    if (!supports(level, feature as FeatureName)) throw new UnsupportedFeatureError(feature, level);
  }
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

function asIs<T>(body: T): T {
  return body;
}

/** For multipart, `fetch` adds the boundary itself. */
function contentOf(body: EncodedBody): string | Blob | FormData {
  if (body.kind === "content") return body.content;
  const form = new FormData();
  for (const [name, value] of body.parts) form.append(name, value);
  return form;
}

function parseEnvelope(text: unknown, response: Response): unknown {
  if (typeof text !== "string" || mediaType(response.headers.get("Content-Type")) !== "application/json")
    return undefined;
  return parseJson(text);
}

function isEnvelope(body: unknown): body is { readonly result: unknown } {
  return typeof body === "object" && body !== null && "result" in body;
}
