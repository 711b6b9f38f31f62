import createFetchClient from "openapi-fetch";
import { operations } from "../../../generated/chat/operations.js";
import { parseJson } from "../../parse-json.js";
import { parseUrl } from "../../parse-url.js";
import { encodeRequest, type RequestValues } from "../codec/encode-request.js";
import { mediaType } from "../codec/media-type.js";
import type { Operation } from "../operation.js";
import type { CallParameters, CallResult, OperationId } from "../operation-types.js";
import { type FeatureName, supports } from "../supports.js";
import { UnexpectedResponseError, UnsupportedFeatureError } from "./errors.js";
import { type RetryOptions, retryingFetch } from "./retry.js";
import type { UploadProgress } from "./upload-progress.js";

/** Where the server is and who calls. */
export interface ChatClientOptions {
  /** Scheme, host and port, such as `https://chat.example.com`; with or without `/api/v1`. */
  readonly baseUrl: string;
  /** The e-mail address of the user or bot. Left out for calls that need no login. */
  readonly email?: string;
  /** The API key that belongs to `email`. */
  readonly apiKey?: string;
  /** Used instead of the global `fetch`, for instance in tests. */
  readonly fetch?: typeof globalThis.fetch;
  /** When a 429 is waited for. */
  readonly retry?: RetryOptions;
  /**
   * The `service_feature_level` of the server. When given, a call of an operation or with a parameter that the server does not
   * have is refused with an `UnsupportedFeatureError` before anything is sent.
   */
  readonly featureLevel?: number;
}

/** Options of a single call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called while the request body is sent. */
  readonly onUploadProgress?: (progress: UploadProgress) => void;
}

type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];
type CallArguments<Id extends OperationId> = [RequiredKeys<CallParameters<Id>>] extends [never]
  ? [parameters?: CallParameters<Id>, options?: CallOptions]
  : [parameters: CallParameters<Id>, options?: CallOptions];

/** One function per operation; `tus` gives what a client of the resumable upload protocol needs. */
export type ChatClient = {
  readonly [Id in OperationId]: (...args: CallArguments<Id>) => Promise<CallResult<Id>>;
} & {
  /** Endpoint and headers for a tus 1.0.0 client such as tus-js-client. The headers hold the API key. */
  readonly tus: () => { readonly endpoint: string; readonly headers: Readonly<Record<string, string>> };
};

/**
 * Creates a client of the chat API.
 *
 * Every operation is a function of its parameters in one flat object and answers a union told apart by `ok` and `status`;
 * `error.code` tells errors apart. Network failures and aborts reject as `fetch` rejects them; an answer that is not from a
 * chat server rejects with an `UnexpectedResponseError`. Throws a `TypeError` when `baseUrl` is no http or https URL or
 * holds credentials, or when only one of `email` and `apiKey` is given.
 *
 * Integers stay JavaScript numbers: one above 2^53, such as the anchor that `newest` may give, arrives as the nearest double
 * and never fails.
 */
export function createChatClient(options: ChatClientOptions): ChatClient {
  const baseUrl = apiUrl(options.baseUrl);
  const authorization = basicAuthorization(options.email, options.apiKey);
  const send = options.fetch ?? ((input: RequestInfo | URL, init?: RequestInit) => globalThis.fetch(input, init));
  const { request } = createFetchClient<object>({
    baseUrl,
    fetch: retryingFetch(send, options.retry),
  }) as unknown as UntypedClient;

  async function call(operationId: string, operation: Operation, values: RequestValues, callOptions: CallOptions) {
    if (options.featureLevel !== undefined) refuseUnsupported(operation, values, options.featureLevel);
    const encoded = encodeRequest(operation, values);
    const { onUploadProgress } = callOptions;
    // Loaded when it is first needed, since few calls report progress.
    const progress =
      onUploadProgress && (await import("./upload-progress.js")).fetchWithUploadProgress(send, onUploadProgress);
    // The contract's own encoding is used for path, query and body; the library does the rest.
    const { response, data, error } = await request(encoded.method.toLowerCase(), encoded.path, {
      headers: { ...(operation.auth === false ? {} : authorization), ...callOptions.headers },
      parseAs: "text",
      querySerializer: () => encoded.query,
      ...(encoded.body === undefined ? {} : { body: encoded.body, bodySerializer: asIs, ...formHeader(encoded.body) }),
      ...(callOptions.signal === undefined ? {} : { signal: callOptions.signal }),
      ...(progress === undefined ? {} : { fetch: progress }),
    });
    const body = response.ok ? parseEnvelope(data, response) : error;
    if (!isEnvelope(body)) throw new UnexpectedResponseError(operationId, response);
    return response.ok
      ? { ok: true, status: response.status, data: body, response }
      : { ok: false, status: response.status, error: body, response };
  }

  const calls = Object.entries<Operation>(operations).flatMap(([id, operation]) => {
    // The one operation with headers of its own is spoken by a tus client.
    if (operation.headers !== undefined) return [];
    return [[id, (values: RequestValues = {}, options: CallOptions = {}) => call(id, operation, values, options)]];
  });
  return { ...Object.fromEntries(calls), tus: () => ({ endpoint: `${baseUrl}/tus`, headers: { ...authorization } }) };
}

/** The library's types hold one operation at a time; `ChatClient` types the calls instead. */
interface UntypedClient {
  request(method: string, path: string, init: object): Promise<{ response: Response; data?: unknown; error?: unknown }>;
}

/** Where the API of a server begins. Throws a `TypeError` that says what a base URL looks like. */
function apiUrl(baseUrl: string): string {
  const url = parseUrl(baseUrl);
  // Neither query nor fragment nor credentials: then nothing but origin and path is left of it. The input is not repeated, since
  // it may hold a secret.
  if (!/^https?:/.test(baseUrl) || url === undefined || url.href !== url.origin + url.pathname) {
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
  const bytes = new TextEncoder().encode(`${email}:${apiKey}`);
  return { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

function refuseUnsupported(operation: Operation, values: RequestValues, level: number): void {
  const used = Object.keys(values).filter((name) => values[name] !== undefined && name in operation.parameters);
  for (const feature of [operation.feature, ...used.map((name) => `${operation.feature}.${name}`)]) {
    if (!supports(level, feature as FeatureName)) throw new UnsupportedFeatureError(feature, level);
  }
}

function asIs<T>(body: T): T {
  return body;
}

/** A multipart body brings its own header with its boundary; a form needs one, or the library would say JSON. */
function formHeader(body: URLSearchParams | FormData): { params?: { header: Record<string, string> } } {
  return body instanceof FormData
    ? {}
    : { params: { header: { "Content-Type": "application/x-www-form-urlencoded" } } };
}

function parseEnvelope(text: unknown, response: Response): unknown {
  if (typeof text !== "string" || mediaType(response.headers.get("Content-Type")) !== "application/json")
    return undefined;
  return parseJson(text);
}

function isEnvelope(body: unknown): boolean {
  return typeof body === "object" && body !== null && "result" in body;
}
