import { operations } from "../../../generated/chat/operations.js";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { responseValidators } from "../../../generated/chat/validators.js";
import { textsOfQuery } from "../../request/style.js";
import { createService } from "../../runtime/rest/server/create-service.js";
import type { Service, ServiceOptions } from "../../runtime/rest/server/service.js";
import { callableOperations, type OperationId } from "../operation-types.js";
import { type Credentials, notLoggedIn, readCredentials } from "./credentials.js";
import { isOperationPresent, reportsIgnored, withoutLaterFields } from "./feature-level.js";
import type { ChatHandlers } from "./handlers.js";
import { parseRequest } from "./parse-request.js";
import { enveloped, fail, refused } from "./service-response.js";

/** Handlers of a chat server, and how to run them. Without credentials, requests are refused with UNAUTHORIZED. */
export interface ChatServerOptions<Caller extends object> extends ServiceOptions<Caller, Credentials, OperationId> {
  readonly handlers: ChatHandlers<Caller>;
  /**
   * The feature level of the server. Operations and parameters of later levels are unknown to it, and its responses omit later
   * fields. Handlers must implement all other differences between levels. Defaults to the newest level.
   */
  readonly featureLevel?: number;
}

/**
 * Creates a function that responds to requests to the chat API, like `createService`, and wraps results in the envelope. It does not
 * serve `/tus`: mount a tus server there. Throws a `RangeError` for an invalid `featureLevel`.
 */
export function createChatService<Caller extends object>(options: ChatServerOptions<Caller>): Service<OperationId> {
  const { handlers, featureLevel = newestLevel } = options;
  if (!Number.isInteger(featureLevel) || featureLevel < 0) {
    throw new RangeError(`featureLevel must be an integer of at least 0, not ${featureLevel}`);
  }
  const present = Object.entries(callableOperations).filter(([id]) => isOperationPresent(id, featureLevel));
  return createService<Caller, Credentials, OperationId>(
    {
      prefix: "/api/v1",
      operations: Object.fromEntries(present) as typeof callableOperations,
      // The parameters match the operation, but the compiler cannot know an operation that is chosen at run time.
      handlers: handlers as unknown as Readonly<Record<OperationId, (call: object) => unknown>>,
      context: { featureLevel },
      loginOf: (id) => ("auth" in operations[id] ? "none" : "required"),
      readCredentials: (_, { header }) => readCredentials(header),
      ownerOf,
      notLoggedIn,
      parse: (id, { path, query, header, fields, files }) => {
        const message = {
          path: Object.entries(path),
          query: textsOfQuery(query),
          headers: { "content-type": header("content-type") },
          body: { kind: "form", fields, files } as const,
        };
        const parsed = parseRequest(id, operations[id], message, featureLevel);
        return parsed.kind === "valid" ? parsed : { kind: "invalid", status: 400, message: parsed.message };
      },
      succeed: (_, result, names) => {
        const ignored =
          names.length > 0 && reportsIgnored(featureLevel) ? { ignored_parameters_unsupported: names } : {};
        const body = JSON.stringify(enveloped({ result: "success", msg: "", ...ignored }, result));
        return { status: 200, headers: { "Content-Type": "application/json" }, body };
      },
      shorten: (id, { body, ...response }) => ({
        ...response,
        body: withoutLaterFields(operations[id].feature, String(body), featureLevel),
      }),
      refused,
      fail,
      problemsOf: (id, { status, body }) => {
        const validate = responseValidators[id][status] ?? responseValidators[id].default;
        if (validate === undefined || validate(JSON.parse(String(body)))) return [];
        return (validate.errors ?? []).map(
          ({ instancePath, message }) => `${instancePath} ${message ?? "does not fit"}`,
        );
      },
    },
    options,
  );
}

function ownerOf(credentials: Credentials): string {
  return credentials.kind === "basic"
    ? `basic ${credentials.email.toLowerCase()} ${credentials.apiKey.reveal()}`
    : `cookie ${credentials.cookie.reveal()}`;
}
