import { operations } from "../../../generated/chat/operations.js";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { responseValidators } from "../../../generated/chat/validators.js";
import { inTurns, nextTurn } from "../../time-slices.js";
import type { OperationId } from "../operation-types.js";
import type { RefusedBody } from "./body-reader.js";
import { createCallerQueue } from "./caller-queue.js";
import { type Credentials, notLoggedIn, readCredentials } from "./credentials.js";
import { isOperationPresent, reportsIgnored, withoutLaterFields } from "./feature-level.js";
import type { ChatHandlers } from "./handlers.js";
import { createRouter } from "./match-route.js";
import { createMemoryBudget, defaultMemoryLimits, type MemoryLimits, type MemoryShare } from "./memory-budget.js";
import { parseRequest } from "./parse-request.js";
import { type BodyLimits, defaultBodyLimits, readBody } from "./read-body.js";
import { Refusal, refuseUndocumented } from "./refusal.js";
import { isReusable, jsonText } from "./reusable-results.js";

/** What makes a chat server of handlers. */
export interface ChatServerOptions<Caller extends object> {
  readonly handlers: ChatHandlers<Caller>;
  /** Says who the credentials belong to; undefined or null for nobody, which is answered with UNAUTHORIZED. */
  readonly authenticate: (credentials: Credentials) => Caller | undefined | null | Promise<Caller | undefined | null>;
  /** Refuses a caller before parameters are looked at, for instance one whose role does not suffice. */
  readonly authorize?: (operationId: OperationId, caller: Caller) => Refusal | undefined | Promise<Refusal | undefined>;
  /**
   * The server behaves as one of this level: operations and parameters that it does not have are not there, and response fields
   * that it does not have are left out. What else changed at a level is up to the handlers. Defaults to the newest level.
   */
  readonly featureLevel?: number;
  /** Checks every response of a handler against the contract; one that does not fit becomes an error. For tests and development. */
  readonly validateResponses?: boolean;
  /** Defaults to 32 MiB for uploads, 1 MiB for other bodies, and 1000 fields. */
  readonly limits?: BodyLimits;
  /**
   * Beyond it requests are answered with 503 and `Retry-After`. Defaults to 192 MiB in all, and to 64 MiB and 32 handlers at once for one
   * caller.
   */
  readonly memory?: Partial<MemoryLimits>;
  /**
   * Told of what a handler threw that is no refusal, and of a response that does not fit. The client sees only status 500.
   * Defaults to `console.error`.
   */
  readonly onError?: (error: unknown, operationId: OperationId) => void;
}

/** A request, from whatever kind of server. */
export interface ServiceRequest {
  readonly method: string;
  /** Path and query as sent, beginning with `/api/v1/`. */
  readonly target: string;
  /** A header by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** Read only when the request gets that far. */
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * Settles when the answer is sent or the client gone: until then the memory of the answer counts. If left out, it counts until the
   * service has answered.
   */
  readonly closed?: Promise<unknown>;
}

/** A response. Its body is JSON, or empty. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The operation that the request was for; left out when it was for none. */
  readonly operationId?: OperationId;
}

/** A request on its way to a handler. */
interface Exchange {
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
  readonly request: ServiceRequest;
  /** Who shares memory and a line. */
  readonly sender: string;
  readonly memory: MemoryShare;
}

const prefix = "/api/v1";
/** UTF-16 code units of an answer that is too short to count. */
const minCountedAnswer = 64 * 1024;

/**
 * Makes a function that answers requests to the chat API from handlers. It routes, authenticates, decodes and validates, calls
 * the handler, and puts the envelope around what that answers.
 *
 * A request is judged in this order: path and method, credentials, `authorize`, parameters in the order of the contract, then the
 * handler. `/tus` is not handled: mount a tus server there. Throws a `RangeError` when `featureLevel` is none.
 */
export function createChatService<Caller extends object>(
  options: ChatServerOptions<Caller>,
): (request: ServiceRequest) => Promise<ServiceResponse> {
  const { handlers, authenticate, authorize, featureLevel = newestLevel, limits = defaultBodyLimits } = options;
  const memoryLimits = { ...defaultMemoryLimits, ...options.memory };
  const openShare = createMemoryBudget(memoryLimits);
  const inLine = createCallerQueue(memoryLimits.maxHandlersPerCaller);
  if (!Number.isInteger(featureLevel) || featureLevel < 0) {
    throw new RangeError(`featureLevel must be a whole number from 0 on, not ${featureLevel}`);
  }
  const { createResumableUpload: _, ...served } = operations;
  const present = Object.entries(served).filter(([id]) => isOperationPresent(id, featureLevel));
  const reused: Partial<Record<OperationId, WeakMap<object, ServiceResponse>>> = {};
  const route = createRouter<OperationId>(Object.fromEntries(present) as typeof served);

  return async (request) => {
    // A target may also be a whole URL (RFC 9112, section 3.2.2).
    const [path = "", query = ""] = request.target.replace(/^https?:\/\/[^/?]*/i, "").split(/\?(.*)/s, 2);
    const isHead = request.method === "HEAD";
    const match = path.startsWith(`${prefix}/`)
      ? route(isHead ? "GET" : request.method, path.slice(prefix.length))
      : ({ kind: "not-found" } as const);
    switch (match.kind) {
      case "not-found":
        return refused(refuseUndocumented(404, { code: "BAD_REQUEST", msg: "There is nothing at this path" }));
      case "method-not-allowed": {
        const headers = {
          Allow: match.allow.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", "),
        };
        if (request.method === "OPTIONS") return { status: 204, headers, body: "" };
        return refused(refuseUndocumented(405, { code: "BAD_REQUEST", msg: "Method not allowed" }, headers));
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
      report(error, operationId);
      return refused(refuseUndocumented(500, { code: "INTERNAL_SERVER_ERROR", msg: "Internal server error" }));
    } finally {
      void Promise.resolve(request.closed).finally(memory.release);
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
      // Whatever an untyped author answers for nobody, `false` too, is nobody.
      if (typeof caller !== "object") {
        return refused(notLoggedIn());
      }
      const refusal = await authorize?.(operationId, caller);
      if (refusal !== undefined) return checked(operationId, refused(refusal));
    }
    if (!memory.isAvailable()) return busy();
    const body = await readBody(request.body, request.header, { limits, hold: memory.take });
    if (body.kind === "aborted") return badRequest(400, "The request ended before its body did");
    if (body.kind === "refused") return refusedBody(body);
    const texts = { path, query: new URLSearchParams(query), body: body.fields, files: body.files };
    const parsed = parseRequest(operationId, operation, texts, featureLevel);
    if (parsed.kind === "invalid") {
      await body.dispose();
      return badRequest(400, parsed.message);
    }
    // The parameters fit the operation, which the compiler cannot see for one that is chosen at run time.
    const handler = handlers[operationId] as (call: object) => unknown;
    const call = { parameters: parsed.values, caller, featureLevel };
    const runInLine = inLine(sender, async () => {
      if (!memory.isAvailable()) return busy();
      const answer = await respond(operationId, await runHandler(handler, call), parsed.ignored);
      // What changes something has been done, and is answered whatever it takes.
      if (operation.method !== "GET" || answer.body.length < minCountedAnswer) return answer;
      // What took so long has held others up.
      await nextTurn();
      return memory.take(Buffer.byteLength(answer.body)) ? answer : busy();
    });
    return (await runInLine.finally(body.dispose)) ?? busy();
  }

  async function respond(
    operationId: OperationId,
    result: unknown,
    ignoredNames: readonly string[],
  ): Promise<ServiceResponse> {
    if (result instanceof Refusal) return checked(operationId, refused(result));
    if (ignoredNames.length > 0 && reportsIgnored(featureLevel)) {
      return succeeded(operationId, { ignored_parameters_unsupported: ignoredNames }, result);
    }
    if (!isReusable(result)) return succeeded(operationId, {}, result);
    reused[operationId] ??= new WeakMap();
    const response = reused[operationId].get(result) ?? (await succeeded(operationId, {}, result));
    reused[operationId].set(result, response);
    return response;
  }

  async function succeeded(operationId: OperationId, ignored: object, result: unknown): Promise<ServiceResponse> {
    const body = enveloped({ result: "success", msg: "", ...ignored }, result);
    // What may change has to become text at once.
    const text = isReusable(result) ? await inTurns(jsonText(body), nextTurn) : JSON.stringify(body);
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

  /** A reporter that fails must not change the answer. */
  function report(error: unknown, operationId: OperationId): void {
    try {
      if (options.onError) options.onError(error, operationId);
      else console.error(`${operationId} failed:`, error);
    } catch {
      // There is nobody left to tell.
    }
  }
}

/**
 * Tells the senders of requests apart, however they spell the same credentials. Where nobody checks credentials, all are one sender:
 * otherwise anybody could be many.
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

/** Handlers return refusals, and throw them from deep inside. */
async function runHandler(handler: (call: object) => unknown, call: object): Promise<unknown> {
  try {
    return await handler(call);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function badRequest(status: number, msg: string): ServiceResponse {
  return refused(refuseUndocumented(status, { code: "BAD_REQUEST", msg }));
}

/** The refusal of a body that was not read to its end, after which the connection cannot always be used again. */
function refusedBody({ status, message: msg }: RefusedBody): ServiceResponse {
  switch (status) {
    case 503:
      return busy(msg);
    case 507:
      return refused(refuseUndocumented(status, { code: "INTERNAL_SERVER_ERROR", msg }));
    case 408:
    case 413:
      return refused(refuseUndocumented(status, { code: "BAD_REQUEST", msg }, { Connection: "close" }));
    case 400:
    case 415:
      return badRequest(status, msg);
  }
}

/** Too much is under way, of this caller or of all. */
function busy(
  msg = "The server holds too many large requests and answers; wait for earlier ones to end, then try again",
): ServiceResponse {
  return refused(refuseUndocumented(503, { code: "SERVICE_UNAVAILABLE", msg }, { "Retry-After": "1" }));
}

function refused({ status, fields, headers }: Refusal): ServiceResponse {
  return json(status, JSON.stringify(enveloped({ result: "error" }, fields)), headers);
}

/** The headers of HEAD are those of GET (RFC 9110, section 9.3.2). */
function withoutBody({ headers, body, ...response }: ServiceResponse): ServiceResponse {
  return { ...response, headers: { ...headers, "Content-Length": String(Buffer.byteLength(body)) }, body: "" };
}

/** The envelope stands first and is not replaced by what a handler answers. */
function enveloped(envelope: object, fields: unknown): object {
  return Object.assign({}, envelope, fields, envelope);
}

function json(status: number, body: string, headers: Readonly<Record<string, string>> = {}): ServiceResponse {
  return { status, headers: { ...headers, "Content-Type": "application/json" }, body };
}
