import { operations } from "../../generated/chat/operations.js";
import { caseValues } from "../../src/chat/cases/case-request.js";
import { type ChatClientOptions, createChatClient } from "../../src/chat/client/create-chat-client.js";
import type { CallerCredentials } from "../../src/chat/contract.js";
import type { ChatOperation } from "../../src/chat/operation.js";
import type { Case } from "../../src/contract/rest/cases.js";
import type { ActualResponse } from "../../src/judge/http-message.js";
import { UnexpectedResponseError } from "../../src/runtime/rest/client/errors.js";

/** Timeout of a call. */
const timeoutMs = 300_000;

const table: Readonly<Record<string, ChatOperation>> = operations;

/** The client with untyped parameters: a case may omit required ones. */
type UntypedCall = (values: object, options: { readonly signal: AbortSignal }) => Promise<unknown>;

/**
 * Makes the call of a case once through the client of this package, and returns the raw response. Rejects like `fetch` if there is
 * none within five minutes, and with a `TypeError` if a path value of the case is invalid.
 */
export async function sendCase(
  one: Case,
  baseUrl: string,
  credentials: Pick<CallerCredentials, "email" | "api_key"> | undefined,
): Promise<ActualResponse> {
  let actual: ActualResponse | undefined;
  const send = async (input: RequestInfo | URL, init?: RequestInit) => {
    const response = await fetch(input, init);
    actual = {
      status: response.status,
      contentType: response.headers.get("Content-Type") ?? undefined,
      text: await response.clone().text(),
    };
    return response;
  };
  const options: ChatClientOptions = { baseUrl, fetch: send, retry: { attempts: 1 } };
  const chat = createChatClient(
    credentials === undefined ? options : { ...options, email: credentials.email, apiKey: credentials.api_key },
  );
  const signal = AbortSignal.timeout(timeoutMs);
  const operation = table[one.operationId];
  if (operation === undefined) throw new Error(`The contract has no operation ${one.operationId}`);
  if (operation.protocol !== undefined) {
    // The client has no function for the operation with header parameters.
    const { endpoint, headers } = chat.tus();
    await send(endpoint, { method: operation.method, headers: { ...headers, ...texts(one.request.header) }, signal });
  } else {
    const call = (chat as unknown as Readonly<Record<string, UntypedCall>>)[one.operationId];
    await call?.(caseValues(one), { signal }).catch((error: unknown) => {
      // The comparison reports responses that are not from a chat server.
      if (!(error instanceof UnexpectedResponseError)) throw error;
    });
  }
  if (actual === undefined) throw new Error(`${one.operationId} was not sent`);
  return actual;
}

function texts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
