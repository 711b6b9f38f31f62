import { createRouter } from "../../../server/rest/match-route.js";
import { createMemoryBudget, defaultMemoryLimits, type MemoryShare } from "../../../server/rest/memory-budget.js";
import { defaultBodyLimits, readBody } from "../../../server/rest/read-body.js";
import { createCallerQueue } from "./caller-queue.js";
import { isUnimplemented } from "./handlers.js";
import { Refusal } from "./refusal.js";
import type {
  RequestParts,
  Service,
  ServiceOptions,
  ServiceParts,
  ServiceRequest,
  ServiceResponse,
} from "./service.js";

/** A routed request. */
interface Exchange extends Pick<RequestParts, "path" | "rawPath" | "query"> {
  readonly request: ServiceRequest;
  /** Identifies the caller. Requests of one caller share a memory limit and a queue. */
  readonly sender: string;
  readonly memory: MemoryShare;
}

type OwnResponse = ServiceResponse<never>;

/** Only responses to GET of at least this length, in UTF-16 code units, count against `memory`. */
const minCountedLength = 64 * 1024;

const tooBusy =
  "The server is processing too many large requests and responses; wait for earlier ones to finish, then try again";

/**
 * Creates a function that responds to the requests of an API. It routes, authenticates, decodes and validates a request, calls the
 * handler, and makes the response.
 *
 * It checks a request in this order: path and method, credentials, `authorize`, whether the operation is implemented, parameters.
 */
export function createService<Caller extends object, Credentials, Id extends string>(
  parts: ServiceParts<Credentials, Id>,
  options: ServiceOptions<Caller, Credentials, Id>,
): Service<Id> {
  const { prefix, operations, handlers, fail, refused } = parts;
  const { authenticate, authorize, limits = defaultBodyLimits } = options;
  const memoryLimits = { ...defaultMemoryLimits, ...options.memory };
  const openShare = createMemoryBudget(memoryLimits);
  const enqueue = createCallerQueue(memoryLimits.maxHandlersPerCaller);
  const route = createRouter<Id>(operations);
  const busy = (message = tooBusy) => fail(503, message, { "Retry-After": "1" });

  const respondTo = async (request: ServiceRequest): Promise<ServiceResponse<Id>> => {
    // RFC 9112, section 3.2.2, allows an absolute URL.
    const [path = "", query = ""] = request.target.replace(/^https?:\/\/[^/?]*/i, "").split(/\?(.*)/s, 2);
    const isHead = request.method === "HEAD";
    const find = (method: string) =>
      path.startsWith(`${prefix}/`) ? route(method, path.slice(prefix.length)) : ({ kind: "not-found" } as const);
    const own = find(request.method);
    const match = isHead && own.kind !== "found" ? find("GET") : own;
    switch (match.kind) {
      case "not-found":
        return fail(404, "No operation has this path");
      case "method-not-allowed": {
        const allow = (methods: readonly string[]) => ({
          Allow: [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))].join(", "),
        });
        if (request.method === "OPTIONS") {
          const isHere = (method: string) => {
            const other = find(method);
            return other.kind === "found" && !isUnimplemented(handlers[other.operationId]);
          };
          const here = match.allow.filter(isHere);
          return { status: 204, headers: allow(here.length === 0 ? ["OPTIONS"] : here), body: "" };
        }
        return fail(405, "Method not allowed", allow(match.allow));
      }
      case "found": {
        const { operationId } = match;
        const response = await serve(operationId, { path: match.path, rawPath: match.rawPath, query, request });
        return { ...(isHead && own.kind !== "found" ? withoutBody(response) : response), operationId };
      }
    }
  };
  return Object.assign(respondTo, { prefix, fail });

  async function serve(id: Id, routed: Omit<Exchange, "sender" | "memory">): Promise<OwnResponse> {
    const { query, request } = routed;
    // Operations without authentication share one sender, because credentials that nothing checks could be made up.
    const credentials =
      parts.loginOf(id) === "none" ? undefined : parts.readCredentials(id, { query, header: request.header });
    const sender = credentials === undefined ? "" : parts.ownerOf(credentials);
    const memory = openShare(sender);
    try {
      return await answer(id, { ...routed, sender, memory }, credentials);
    } catch (error) {
      if (error instanceof Refusal) return refused(error, id);
      report(error, id);
      return fail(500, "Internal server error");
    } finally {
      void Promise.resolve(request.closed).then(memory.release, memory.release);
    }
  }

  async function answer(
    id: Id,
    { path, rawPath, query, request, sender, memory }: Exchange,
    credentials: Credentials | undefined,
  ): Promise<OwnResponse> {
    const login = parts.loginOf(id);
    let caller: Caller | undefined;
    if (login !== "none") {
      caller = (credentials && (await authenticate(credentials))) ?? undefined;
      // Untyped implementations may return other values, such as `false`, for unknown credentials.
      if (typeof caller !== "object") {
        if (login === "required" || credentials !== undefined) return refused(parts.notLoggedIn(id), id);
      } else {
        const refusal = await authorize?.(id, caller);
        if (refusal !== undefined) return checked(id, refused(refusal, id));
      }
    }
    const handler = handlers[id];
    if (isUnimplemented(handler)) return respond(id, await runHandler(handler, {}), []);
    if (!memory.isAvailable()) return busy();
    const read = await readBody(request.body, request.header, {
      ...{ limits, hold: memory.take },
      takesAny: parts.takesAny === true,
    });
    if (read.kind === "aborted") return fail(400, "The request ended before its body did");
    if (read.kind === "refused") {
      if (read.status === 503) return busy(read.message);
      // Closes the connection of a body that is too slow or too large.
      return fail(read.status, read.message, read.status === 408 || read.status === 413 ? { Connection: "close" } : {});
    }
    const { fields, files, bytes } = read;
    const sent = { path, rawPath, query, header: request.header, fields, files, ...(bytes && { bytes }) };
    const parsed = parts.parse(id, sent);
    if (parsed.kind === "invalid") {
      await read.dispose();
      return fail(parsed.status, parsed.message);
    }
    const call = { ...parts.context, parameters: parsed.values, caller, header: request.header };
    const queued = enqueue(sender, async () => {
      if (!memory.isAvailable()) return busy();
      const response = await respond(id, await runHandler(handler, call), parsed.ignored);
      // A write has already taken effect, so always report its result.
      if (operations[id].method !== "GET" || response.body.length < minCountedLength) return response;
      return memory.take(Buffer.byteLength(response.body)) ? response : busy();
    });
    return (await queued.finally(read.dispose)) ?? busy();
  }

  async function respond(id: Id, result: unknown, ignored: readonly string[]): Promise<OwnResponse> {
    if (result instanceof Refusal) return checked(id, refused(result, id));
    const response = checked(id, await parts.succeed(id, result, ignored));
    return parts.shorten?.(id, response) ?? response;
  }

  function checked(id: Id, response: OwnResponse): OwnResponse {
    if (!options.validateResponses) return response;
    const problems = parts.problemsOf(id, response);
    if (problems.length === 0) return response;
    throw new Error(
      `${id} answered ${response.status} with a body that the contract does not allow: ${problems.join("; ")}`,
    );
  }

  /** Calls `onError`. An error of `onError` itself must not change the response. */
  function report(error: unknown, id: Id): void {
    try {
      if (options.onError) options.onError(error, id);
      else console.error(`${id} failed:`, error);
    } catch {
      // Nothing else can report it.
    }
  }
}

/** Turns the response to a GET into that to a HEAD (RFC 9110, section 9.3.2). */
function withoutBody({ headers, body, ...response }: OwnResponse): OwnResponse {
  return { ...response, headers: { ...headers, "Content-Length": String(Buffer.byteLength(body)) }, body: "" };
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
