import { operations } from "../../../generated/chat/operations.js";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { responseValidators } from "../../../generated/chat/validators.js";
import { createRouter } from "../../server/rest/match-route.js";
import {
  createMemoryBudget,
  defaultMemoryLimits,
  type MemoryLimits,
  type MemoryShare,
} from "../../server/rest/memory-budget.js";
import { type BodyLimits, defaultBodyLimits, readBody } from "../../server/rest/read-body.js";
import { callableOperations, type OperationId } from "../operation-types.js";
import { createCallerQueue } from "./caller-queue.js";
import { type Credentials, notLoggedIn, readCredentials } from "./credentials.js";
import { isOperationPresent, reportsIgnored, withoutLaterFields } from "./feature-level.js";
import { type ChatHandlers, isUnimplemented } from "./handlers.js";
import { parseRequest } from "./parse-request.js";
import { Refusal, refuseUndocumented } from "./refusal.js";
import {
  badRequest,
  busy,
  enveloped,
  json,
  refused,
  refusedBody,
  type ServiceResponse,
  withoutBody,
} from "./service-response.js";

/** Handlers of a chat server, and how to run them. */
export interface ChatServerOptions<Caller extends object> {
  readonly handlers: ChatHandlers<Caller>;
  /**
   * Finds the caller with these credentials. Undefined or null refuses the request with UNAUTHORIZED; a thrown refusal refuses it
   * for another reason.
   */
  readonly authenticate: (credentials: Credentials) => Caller | undefined | null | Promise<Caller | undefined | null>;
  /** Refuses a caller before parameters are checked, for instance one who lacks the required role. */
  readonly authorize?: (operationId: OperationId, caller: Caller) => Refusal | undefined | Promise<Refusal | undefined>;
  /**
   * The feature level of the server. Operations and parameters of later levels are unknown to it, and its responses omit later
   * fields. Handlers must implement all other differences between levels. Defaults to the newest level.
   */
  readonly featureLevel?: number;
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
  readonly onError?: (error: unknown, operationId: OperationId) => void;
}

/** A request, independent of the HTTP server. */
export interface ServiceRequest {
  readonly method: string;
  /** Path and query as sent, or an absolute URL. A path that does not begin with `/api/v1/` gets status 404. */
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

/** A routed request. */
interface Exchange {
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
  readonly request: ServiceRequest;
  /** Identifies the caller. Requests of one caller share a memory limit and a queue. */
  readonly sender: string;
  readonly memory: MemoryShare;
}

const prefix = "/api/v1";
/** Only responses to GET of at least this length, in UTF-16 code units, count against `memory`. */
const minCountedLength = 64 * 1024;

/**
 * Creates a function that responds to requests to the chat API. It routes, authenticates, decodes and validates a request, calls the
 * handler, and wraps the result in the envelope.
 *
 * It checks a request in this order: path and method, credentials, `authorize`, whether the operation is implemented, parameters in the
 * order of the contract. It does not
 * serve `/tus`: mount a tus server there. Throws a `RangeError` for an invalid `featureLevel`.
 */
export function createChatService<Caller extends object>(
  options: ChatServerOptions<Caller>,
): (request: ServiceRequest) => Promise<ServiceResponse> {
  const { handlers, authenticate, authorize, featureLevel = newestLevel, limits = defaultBodyLimits } = options;
  const memoryLimits = { ...defaultMemoryLimits, ...options.memory };
  const openShare = createMemoryBudget(memoryLimits);
  const enqueue = createCallerQueue(memoryLimits.maxHandlersPerCaller);
  if (!Number.isInteger(featureLevel) || featureLevel < 0) {
    throw new RangeError(`featureLevel must be an integer of at least 0, not ${featureLevel}`);
  }
  const present = Object.entries(callableOperations).filter(([id]) => isOperationPresent(id, featureLevel));
  const route = createRouter<OperationId>(Object.fromEntries(present) as typeof callableOperations);

  return async (request) => {
    // RFC 9112, section 3.2.2, allows an absolute URL.
    const [path = "", query = ""] = request.target.replace(/^https?:\/\/[^/?]*/i, "").split(/\?(.*)/s, 2);
    const isHead = request.method === "HEAD";
    const match = path.startsWith(`${prefix}/`)
      ? route(isHead ? "GET" : request.method, path.slice(prefix.length))
      : ({ kind: "not-found" } as const);
    switch (match.kind) {
      case "not-found":
        return refused(refuseUndocumented(404, { code: "BAD_REQUEST", msg: "No operation has this path" }));
      case "method-not-allowed": {
        const allow = (methods: readonly string[]) => ({
          Allow: methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", "),
        });
        if (request.method === "OPTIONS") {
          const isHere = (method: string) => {
            const other = route(method, path.slice(prefix.length));
            return other.kind === "found" && !isUnimplemented(handlers[other.operationId]);
          };
          const here = match.allow.filter(isHere);
          return { status: 204, headers: allow(here.length === 0 ? ["OPTIONS"] : here), body: "" };
        }
        return refused(refuseUndocumented(405, { code: "BAD_REQUEST", msg: "Method not allowed" }, allow(match.allow)));
      }
      case "found": {
        const { operationId } = match;
        const response = await serve(operationId, match.path, query, request);
        return { ...(isHead ? withoutBody(response) : response), operationId };
      }
    }
  };

  async function serve(
    operationId: OperationId,
    path: Readonly<Record<string, string>>,
    query: string,
    request: ServiceRequest,
  ): Promise<ServiceResponse> {
    const sender = senderOf(operationId, request);
    const memory = openShare(sender);
    try {
      return await answer(operationId, { path, query, request, sender, memory });
    } catch (error) {
      if (error instanceof Refusal) return refused(error);
      report(error, operationId);
      return refused(refuseUndocumented(500, { code: "INTERNAL_SERVER_ERROR", msg: "Internal server error" }));
    } finally {
      void Promise.resolve(request.closed).then(memory.release, memory.release);
    }
  }

  async function answer(
    operationId: OperationId,
    { path, query, request, sender, memory }: Exchange,
  ): Promise<ServiceResponse> {
    const operation = operations[operationId];
    let caller: Caller | undefined;
    if (!("auth" in operation && operation.auth === false)) {
      const credentials = readCredentials(request.header);
      caller = (credentials && (await authenticate(credentials))) ?? undefined;
      // Untyped implementations may return other values, such as `false`, for unknown credentials.
      if (typeof caller !== "object") {
        return refused(notLoggedIn());
      }
      const refusal = await authorize?.(operationId, caller);
      if (refusal !== undefined) return checked(operationId, refused(refusal));
    }
    // The parameters match the operation, but the compiler cannot know an operation that is chosen at run time.
    const handler = handlers[operationId] as (call: object) => unknown;
    if (isUnimplemented(handler)) return respond(operationId, await runHandler(handler, {}), []);
    if (!memory.isAvailable()) return busy();
    const body = await readBody(request.body, request.header, { limits, hold: memory.take });
    if (body.kind === "aborted") return badRequest(400, "The request ended before its body did");
    if (body.kind === "refused") return refusedBody(body);
    const texts = {
      path,
      query: new URLSearchParams(query),
      body: body.fields.map(([name, text]) => [name, text] as const),
      files: body.files,
    };
    const parsed = parseRequest(operationId, operation, texts, featureLevel);
    if (parsed.kind === "invalid") {
      await body.dispose();
      return badRequest(400, parsed.message);
    }
    const call = { parameters: parsed.values, caller, featureLevel, header: request.header };
    const queued = enqueue(sender, async () => {
      if (!memory.isAvailable()) return busy();
      const answer = respond(operationId, await runHandler(handler, call), parsed.ignored);
      // A write has already taken effect, so always report its result.
      if (operation.method !== "GET" || answer.body.length < minCountedLength) return answer;
      return memory.take(Buffer.byteLength(answer.body)) ? answer : busy();
    });
    return (await queued.finally(body.dispose)) ?? busy();
  }

  function respond(operationId: OperationId, result: unknown, ignoredNames: readonly string[]): ServiceResponse {
    if (result instanceof Refusal) return checked(operationId, refused(result));
    const ignored =
      ignoredNames.length > 0 && reportsIgnored(featureLevel) ? { ignored_parameters_unsupported: ignoredNames } : {};
    const text = JSON.stringify(enveloped({ result: "success", msg: "", ...ignored }, result));
    const response = checked(operationId, json(200, text));
    return { ...response, body: withoutLaterFields(operations[operationId].feature, response.body, featureLevel) };
  }

  function checked(operationId: OperationId, response: ServiceResponse): ServiceResponse {
    if (!options.validateResponses) return response;
    const byStatus = responseValidators[operationId];
    const validate = byStatus[response.status] ?? byStatus.default;
    if (validate === undefined || validate(JSON.parse(response.body))) return response;
    const problems = (validate.errors ?? []).map(
      ({ instancePath, message }) => `${instancePath} ${message ?? "does not fit"}`,
    );
    throw new Error(
      `${operationId} answered ${response.status} with a body that the contract does not allow: ${problems.join("; ")}`,
    );
  }

  /** Calls `onError`. An error of `onError` itself must not change the response. */
  function report(error: unknown, operationId: OperationId): void {
    try {
      if (options.onError) options.onError(error, operationId);
      else console.error(`${operationId} failed:`, error);
    } catch {
      // Nothing else can report it.
    }
  }
}

/**
 * Identifies the sender of a request by its credentials, regardless of their spelling. Operations without authentication share one
 * sender, because credentials that nothing checks could be made up.
 */
function senderOf(operationId: OperationId, { header }: ServiceRequest): string {
  const operation = operations[operationId];
  const credentials = "auth" in operation && operation.auth === false ? undefined : readCredentials(header);
  switch (credentials?.kind) {
    case "basic":
      return `basic ${credentials.email.toLowerCase()} ${credentials.apiKey.reveal()}`;
    case "cookie":
      return `cookie ${credentials.cookie.reveal()}`;
    case undefined:
      return "";
  }
}

/** Calls a handler. A refusal that it throws counts as returned. */
async function runHandler(handler: (call: object) => unknown, call: object): Promise<unknown> {
  try {
    return await handler(call);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
