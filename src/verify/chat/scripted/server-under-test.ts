import type { ContractDocument, GivenState } from "../../../contract/chat/document.js";
import { type ListedOperation, listOperations } from "../../../contract/chat/operations.js";
import type { ShownBy } from "../../../contract/chat/rule.js";
import { parseJson } from "../../../parse-json.js";
import type { Exchange } from "../../check.js";
import { createMask } from "../../mask.js";
import { describeExchange } from "../exchange/describe-exchange.js";
import type { HttpPart, ReceivedResponse } from "../exchange/http-message.js";
import { type SendLimits, sendRequest } from "../exchange/send-request.js";
import { basicCredentials, findCredentials, stateSecrets } from "../states/callers.js";
import { createStatesClient, type StatesOutcome } from "../states/states-client.js";

/** A kind of derived check. */
export type Kind = ShownBy["kind"];

/** Thrown if a script can show nothing on this server. The message gives the reason. */
export class NotShownError extends Error {
  override readonly name = "NotShownError";
}

/** The server that a script calls, and the contract that it should keep. */
export interface ServerUnderTest {
  /** Sets up states in the organization of the script. The first setup creates it. */
  readonly setUp: (...given: readonly GivenState[]) => Promise<StatesOutcome>;
  /** Sends a request, and records it with its response. */
  readonly send: (request: ScriptRequest) => Promise<ReceivedResponse>;
  /** The operation of the first rule of a kind. Throws a `NotShownError` if this level has none. */
  readonly operationOf: (kind: Kind) => ScriptOperation;
  /** Whether this level has a rule of a kind that belongs to an operation. */
  readonly has: (kind: Kind) => boolean;
  /**
   * The operations that levels between 0 and the feature level added, except those of a protocol of their own. The requirements promise a
   * server of a level only what came before it.
   */
  readonly addedOperations: () => ScriptOperation[];
  /** Whether the server has a newer feature level than the contract. */
  readonly isNewer: boolean;
  /** The origin of the server. */
  readonly url: string;
}

/** A request of a script. */
export interface ScriptRequest {
  readonly method: string;
  /** Resolved against the origin of the server. */
  readonly url: string;
  /** The caller whose credentials are sent; none if omitted. */
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | readonly HttpPart[];
  /** The encoded body, if it is not text. */
  readonly bytes?: Buffer;
}

/** Where to call an operation. */
export interface ScriptOperation {
  readonly operationId: string;
  readonly method: string;
  /** The names in braces in its path. */
  readonly parameters: readonly string[];
  /** The path with `/api/v1`, in which the given values replace the names in braces. */
  readonly path: (values?: Readonly<Record<string, unknown>>) => string;
}

/** The server, its contract and the limits of calls. */
export interface ServerUnderTestOptions extends SendLimits {
  readonly contract: ContractDocument;
  /** The URL of the chat API, without `/api/v1`. */
  readonly url: string;
  readonly statesUrl: string;
  /** Whether the server has a newer feature level than the contract. Defaults to false. */
  readonly isNewer?: boolean;
  /** The feature level of the contract. */
  readonly level: number;
  /** The id of the check that calls the server. */
  readonly check: string;
}

/** A server under test that records the calls to it. */
export interface RecordedServer extends ServerUnderTest {
  readonly trace: () => Promise<Exchange[]>;
  readonly mask: (text: string) => string;
}

/** Prepares calls to a server. The first setup creates the organization of the script. */
export function createServerUnderTest({
  contract,
  url,
  statesUrl,
  isNewer = false,
  level,
  check,
  ...limits
}: ServerUnderTestOptions): RecordedServer {
  const states = createStatesClient(statesUrl, limits);
  const known: { organization?: string; secrets: string[] } = { secrets: [] };
  let credentials: StatesOutcome["credentials"] = {};
  const exchanges: Parameters<typeof describeExchange>[] = [];
  const mask = (text: string) => createMask(known.secrets)(text);
  const find = (kind: Kind) =>
    listOperations(contract).find(({ operation }) =>
      operation["x-rules"]?.some((rule) => rule["shown-by"]?.kind === kind),
    );
  return {
    url,
    mask,
    has: (kind) => find(kind) !== undefined,
    setUp: async (...given) => {
      const { organization } = known;
      const named = given.map(({ params = {}, ...state }) => ({ ...state, params: { ...params, organization } }));
      const outcome = await states.setUp(organization === undefined ? given : named, check);
      for (const { request, response } of outcome.calls ?? []) exchanges.push([request, response, mask]);
      known.organization = outcome.organization;
      known.secrets.push(...stateSecrets(outcome));
      credentials = { ...credentials, ...outcome.credentials };
      return outcome;
    },
    send: async ({ as, headers = {}, url: target, ...request }) => {
      const caller = as === undefined ? undefined : findCredentials(as, credentials);
      const authorization = caller && { Authorization: basicCredentials(caller.email, caller.api_key) };
      const sent = { ...request, url: new URL(target, url).href, headers: { ...authorization, ...headers } };
      const response = await sendRequest(sent, limits);
      const { status, text } = response;
      exchanges.push([sent, { status, headers: Object.fromEntries(response.headers), text }, mask]);
      return response;
    },
    operationOf: (kind) => {
      const found = find(kind);
      if (found === undefined) throw new NotShownError(`this feature level has no rule of the kind ${kind}`);
      return toScriptOperation(found);
    },
    addedOperations: () =>
      listOperations(contract)
        .filter(
          ({ operation }) =>
            (operation["x-feature-level"]?.added ?? level) < level && operation["x-protocol"] === undefined,
        )
        .map(toScriptOperation),
    isNewer,
    trace: () => Promise.all(exchanges.map((exchange) => describeExchange(...exchange))),
  };
}

function toScriptOperation({ operation: { operationId }, method, path }: ListedOperation): ScriptOperation {
  return {
    operationId,
    method: method.toUpperCase(),
    parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
    path: (values = {}) =>
      `/api/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))}`,
  };
}

/** The JSON object in a response; empty if it has none. */
export function jsonOf({ text }: Pick<ReceivedResponse, "text">): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Whether a response is a success. */
export function isSuccess({ status }: Pick<ReceivedResponse, "status">): boolean {
  return status >= 200 && status < 300;
}
