import type { SentText } from "../../../request/style.js";
import type { Routable } from "../../../server/rest/match-route.js";
import type { MemoryLimits } from "../../../server/rest/memory-budget.js";
import type { BodyLimits } from "../../../server/rest/read-body.js";
import type { Refusal } from "./refusal.js";

/** A request, independent of the HTTP server. */
export interface ServiceRequest {
  readonly method: string;
  /** Path and query as sent, or an absolute URL. A path outside the API gets status 404. */
  readonly target: string;
  /** Looks up a header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Consumed only after the path, method, credentials and `authorize` have been checked. */
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * Settles when the response is sent or the client has disconnected. Until then the request body and the response count against
   * `memory`; if omitted, until the service has responded.
   */
  readonly closed?: Promise<unknown>;
}

/** A response. */
export interface ServiceResponse<Id extends string = string> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** The requested operation. Undefined if the request matched none. */
  readonly operationId?: Id;
}

/** Responds to the requests of an API. */
export interface Service<Id extends string = string> {
  (request: ServiceRequest): Promise<ServiceResponse<Id>>;
  /** The path that precedes those of the operations, such as `/v1`. */
  readonly prefix: string;
  /** Makes an error of the service itself. */
  readonly fail: FailService;
}

/** Makes an error of a service itself. */
export type FailService = (
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
) => ServiceResponse<never>;

/** How to run the handlers of a server. */
export interface ServiceOptions<Caller extends object, Credentials, Id extends string = string> {
  /**
   * Finds the caller with these credentials. Undefined or null refuses the request; a thrown refusal refuses it for another reason.
   */
  readonly authenticate: (credentials: Credentials) => Caller | undefined | null | Promise<Caller | undefined | null>;
  /** Refuses a caller before parameters are checked, for instance one who lacks the required role. */
  readonly authorize?: (operationId: Id, caller: Caller) => Refusal | undefined | Promise<Refusal | undefined>;
  /** Validates every response against the contract, and replaces an invalid one with an error. For tests and development. */
  readonly validateResponses?: boolean;
  /** Defaults to 32 MiB for uploads, 1 MiB for other bodies, and 1000 fields. */
  readonly limits?: BodyLimits;
  /**
   * Requests that need more memory get 503 with `Retry-After`; requests above the number of handlers wait. Defaults to 192 MiB in total,
   * and 64 MiB and 32 concurrent handlers per caller.
   */
  readonly memory?: Partial<MemoryLimits>;
  /**
   * Called with every error of a handler, `authenticate` or `authorize` that is not a refusal, and for every invalid response. The client
   * sees only status 500. Defaults to `console.error`.
   */
  readonly onError?: (error: unknown, operationId: Id) => void;
}

/** The undecoded parts of a request. */
export interface RequestParts {
  readonly path: Readonly<Record<string, string>>;
  /** The same, percent-encoded as sent. */
  readonly rawPath: Readonly<Record<string, string>>;
  /** Without `?`. */
  readonly query: string;
  readonly header: ServiceRequest["header"];
  readonly fields: readonly SentText[];
  readonly files: readonly (readonly [string, File])[];
  /** A body that is no form. */
  readonly bytes?: Uint8Array;
}

/** The valid, decoded parameters of a request, or why it is refused. */
export type ParsedRequest =
  | { readonly kind: "valid"; readonly values: Readonly<Record<string, unknown>>; readonly ignored: readonly string[] }
  | { readonly kind: "invalid"; readonly status: number; readonly message: string };

/** What makes a service that of a contract. */
export interface ServiceParts<Credentials, Id extends string = string> {
  /** The path that precedes those of the operations, such as `/v1`. */
  readonly prefix: string;
  readonly operations: Readonly<Record<Id, Routable>>;
  readonly handlers: Readonly<Record<Id, (call: object) => unknown>>;
  /** What each call has besides its parameters, its caller and its headers. */
  readonly context?: object;
  /** How an operation takes credentials. */
  readonly loginOf: (id: Id) => "required" | "optional" | "none";
  readonly readCredentials: (
    id: Id,
    request: { readonly query: string; readonly header: ServiceRequest["header"] },
  ) => Credentials | undefined;
  /** Identifies the owner of credentials, regardless of their spelling. */
  readonly ownerOf: (credentials: Credentials) => string;
  readonly notLoggedIn: (id: Id) => Refusal;
  /** Whether operations take bodies that are no forms. */
  readonly takesAny?: boolean;
  readonly parse: (id: Id, parts: RequestParts) => ParsedRequest;
  readonly succeed: (
    id: Id,
    result: unknown,
    ignored: readonly string[],
  ) => ServiceResponse<never> | Promise<ServiceResponse<never>>;
  /** What remains of a success for an older user of the API, after it was validated. */
  readonly shorten?: (id: Id, success: ServiceResponse<never>) => ServiceResponse<never>;
  readonly refused: (refusal: Refusal, id: Id) => ServiceResponse<never>;
  readonly fail: FailService;
  /** What is wrong with a response. */
  readonly problemsOf: (id: Id, response: ServiceResponse<never>) => readonly string[];
}
