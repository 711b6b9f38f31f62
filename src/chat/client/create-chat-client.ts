import type { operations as ApiOperations } from "../../../generated/chat/types.js";
import { createEncode, type RequestValues } from "../../request/create-encode.js";
import {
  type CallOptions,
  type ConnectionOptions,
  createCall,
  rootUrl,
} from "../../runtime/rest/client/create-client.js";
import { basicHeader } from "../../runtime/rest/client/login.js";
import type { ArgumentsOf } from "../../runtime/rest/types.js";
import type { ChatOperation } from "../operation.js";
import { type CallResult, callableOperations, type OperationId } from "../operation-types.js";
import { conventions } from "./conventions.js";

/** The server and the credentials of the caller. */
export interface ChatClientOptions extends ConnectionOptions {
  /** The URL of the server, such as `https://chat.example.com`; with or without `/api/v1`. */
  readonly baseUrl: string;
  /** The e-mail address of the user or bot. Optional for operations that need no login. */
  readonly email?: string;
  /** The API key that belongs to `email`. */
  readonly apiKey?: string;
  /**
   * The `service_feature_level` of the server. If given, calls with an operation or parameter that the server lacks fail with an
   * `UnsupportedFeatureError` before anything is sent.
   */
  readonly featureLevel?: number;
}

/** One function per operation, and `tus` for resumable uploads. */
export type ChatClient = {
  readonly [Id in OperationId]: (...args: ArgumentsOf<ApiOperations[Id], CallOptions>) => Promise<CallResult<Id>>;
} & {
  /** Endpoint and headers for a tus 1.0.0 client such as tus-js-client. The headers hold the API key. */
  readonly tus: () => { readonly endpoint: string; readonly headers: Readonly<Record<string, string>> };
};

/**
 * Creates a client of the chat API, like `createClient` of `accord-contracts/runtime/client`. Errors are also discriminated by `error.code`.
 * Throws a `TypeError` also if only one of `email` and `apiKey` is given, or if `email` contains a colon.
 */
export function createChatClient({ email, apiKey, featureLevel, ...options }: ChatClientOptions): ChatClient {
  if ((email === undefined) !== (apiKey === undefined))
    throw new TypeError(`email and apiKey belong together; ${email === undefined ? "email" : "apiKey"} is missing`);
  const baseUrl = `${rootUrl(options.baseUrl).replace(/\/api\/v1$/, "")}/api/v1`;
  const headers: Readonly<Record<string, string>> =
    email === undefined || apiKey === undefined
      ? {}
      : { Authorization: basicHeader({ username: email, password: apiKey }) };
  const rowOf = (id: string): ChatOperation => callableOperations[id as OperationId];
  const call = createCall(
    {
      ...conventions,
      baseUrl,
      loginOf: (id) => (rowOf(id).auth === false ? {} : { headers }),
      encode: async (id, values) => {
        // Load this module lazily, because few clients know the level.
        if (featureLevel !== undefined)
          (await import("./unsupported-feature.js")).refuseUnsupported(rowOf(id), values, featureLevel);
        return encode(rowOf(id), values);
      },
    },
    options,
  );
  const calls = Object.keys(callableOperations).map((id) => [
    id,
    (values?: RequestValues, callOptions?: CallOptions) => call(id, values, callOptions),
  ]);
  return { ...Object.fromEntries(calls), tus: () => ({ endpoint: `${baseUrl}/tus`, headers: { ...headers } }) };
}

/** The contract has no styles. */
const encode = createEncode();
