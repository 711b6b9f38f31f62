import type { Readable } from "node:stream";
import { operations } from "../../../generated/chat/operations.js";
import { responseValidators } from "../../../generated/chat/validators.js";
import type { OperationId } from "../operation-types.js";
import { type Credentials, readCredentials } from "./credentials.js";
import type { ChatHandlers } from "./handlers.js";
import { createRouter } from "./match-route.js";
import { parseRequest } from "./parse-request.js";
import { type BodyLimits, defaultBodyLimits, readBody } from "./read-body.js";
import { Refusal } from "./refusal.js";
import { isOperationPresent, newestLevel, reportsIgnored } from "./request-levels.js";

/** What makes a chat server of handlers. */
export interface ChatServerOptions<Caller> {
  readonly handlers: ChatHandlers<Caller>;
  /** Says who the credentials belong to; undefined for nobody, which is answered with UNAUTHORIZED. */
  readonly authenticate: (credentials: Credentials) => Caller | undefined | Promise<Caller | undefined>;
  /** Operations and parameters that a server of this feature level does not have are not there. Defaults to the newest. */
  readonly featureLevel?: number;
  /** Checks every response against the contract; one that does not fit becomes an error. For tests and development. */
  readonly validateResponses?: boolean;
  /** Defaults to 32 MiB and 1000 fields. */
  readonly limits?: BodyLimits;
  /** Told of what a handler threw that is no refusal, and of a response that does not fit. The client sees only status 500. */
  readonly onError?: (error: unknown, operationId: OperationId) => void;
}

/** A request, from whatever kind of server. */
export interface ServiceRequest {
  readonly method: string;
  /** Path and query as sent, beginning with `/api/v1/`. */
  readonly target: string;
  /** A header by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  readonly body: Readable;
}

/** A response. Its body is JSON. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const prefix = "/api/v1";

/**
 * Makes a function that answers requests to the chat API from handlers. It routes, authenticates, decodes and validates, calls
 * the handler, and puts the envelope around what that answers.
 *
 * A request is judged in this order: path and method, credentials, parameters, then the handler. `/tus` is not handled: mount a
 * tus server there.
 */
export function createChatService<Caller>(
  options: ChatServerOptions<Caller>,
): (request: ServiceRequest) => Promise<ServiceResponse> {
  const {
    handlers,
    authenticate,
    featureLevel = newestLevel,
    validateResponses = false,
    limits = defaultBodyLimits,
  } = options;
  const { createResumableUpload: _, ...served } = operations;
  const present = Object.entries(served).filter(([id]) => isOperationPresent(id, featureLevel));
  const route = createRouter<OperationId>(Object.fromEntries(present) as typeof served);

  return async (request) => {
    const [path = "", query = ""] = request.target.split(/\?(.*)/s, 2);
    const match = path.startsWith(`${prefix}/`)
      ? route(request.method, path.slice(prefix.length))
      : ({ kind: "not-found" } as const);
    switch (match.kind) {
      case "not-found":
        request.body.resume();
        return refused(404, { code: "BAD_REQUEST", msg: "There is nothing at this path" });
      case "method-not-allowed":
        request.body.resume();
        return refused(405, { code: "BAD_REQUEST", msg: "Method not allowed" }, { Allow: match.allow.join(", ") });
      case "found":
        return serve(match.operationId, match.path, query, request);
    }
  };

  async function serve(
    operationId: OperationId,
    path: Readonly<Record<string, string>>,
    query: string,
    request: ServiceRequest,
  ): Promise<ServiceResponse> {
    const operation = operations[operationId];
    try {
      const credentials = readCredentials(request.header);
      const needsLogin = !("auth" in operation && operation.auth === false);
      const caller = needsLogin && credentials !== undefined ? await authenticate(credentials) : undefined;
      if (needsLogin && caller === undefined) {
        request.body.resume();
        const msg = "Not logged in: API authentication or user session required";
        return refused(401, { code: "UNAUTHORIZED", msg }, { "WWW-Authenticate": 'Basic realm="chat"' });
      }
      const body = await readBody(request.body, request.header("content-type"), limits);
      if (body.kind === "refused") return refused(body.status, { code: "BAD_REQUEST", msg: body.message });
      const texts = { path, query: new URLSearchParams(query), body: body.fields, files: body.files };
      const parsed = parseRequest(operationId, operation, texts, featureLevel);
      if (parsed.kind === "invalid") return refused(400, { code: "BAD_REQUEST", msg: parsed.message });
      // The parameters fit the operation, which the compiler cannot see for one that is chosen at run time.
      const handler = handlers[operationId] as (call: object) => unknown;
      const answer = await handler({ parameters: parsed.values, caller, featureLevel });
      if (answer instanceof Refusal) return checked(operationId, answer.status, refused(answer.status, answer.fields));
      const ignored =
        parsed.ignored.length > 0 && reportsIgnored(featureLevel)
          ? { ignored_parameters_unsupported: parsed.ignored }
          : {};
      return checked(
        operationId,
        200,
        json(200, { result: "success", msg: "", ...(answer as object | undefined), ...ignored }),
      );
    } catch (error) {
      if (error instanceof Refusal) return refused(error.status, error.fields);
      options.onError?.(error, operationId);
      return refused(500, { code: "INTERNAL_SERVER_ERROR", msg: "Internal server error" });
    }
  }

  function checked(operationId: OperationId, status: number, response: ServiceResponse): ServiceResponse {
    if (!validateResponses) return response;
    const byStatus = responseValidators[operationId];
    const validate = byStatus[status] ?? byStatus.default;
    if (validate === undefined || validate(JSON.parse(response.body))) return response;
    const problems = (validate.errors ?? []).map(
      ({ instancePath, message }) => `${instancePath} ${message ?? "does not fit"}`,
    );
    throw new Error(
      `${operationId} answered ${status} with a body that the contract does not allow: ${problems.join("; ")}`,
    );
  }
}

function refused(status: number, fields: object, headers: Record<string, string> = {}): ServiceResponse {
  return json(status, { result: "error", ...fields }, headers);
}

function json(status: number, body: object, headers: Record<string, string> = {}): ServiceResponse {
  return { status, headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
}
