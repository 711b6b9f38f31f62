import type { CallerCredentials } from "../../src/chat/contract.js";
import { type ChatClient, createChatClient } from "../../src/chat/index.js";
import type { GivenState } from "../../src/contract/rest/document.js";
import { createStatesClient } from "../../src/verify/states/states-client.js";

/** An organization that provider states created on a running server. */
export interface ChatSetup {
  readonly organization: string;
  /** The values that the states returned. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Returns a numeric value, such as an id. */
  readonly id: (name: string) => number;
  readonly credentials: (caller: string) => CallerCredentials;
  /** Creates a client for a caller. */
  readonly as: (caller: string) => ChatClient;
  /** Adds states to the organization. */
  readonly add: (...given: readonly GivenState[]) => Promise<ChatSetup>;
}

/** Sets up an organization on a server with provider states. */
export async function setUpChat(
  server: { readonly url: string; readonly statesUrl?: string },
  ...given: readonly GivenState[]
): Promise<ChatSetup> {
  const { organization, credentials, values } = await createStatesClient(server.statesUrl ?? server.url).setUp(
    given.length === 0 ? [{ state: "organization" }] : given,
  );
  const of = (caller: string) => {
    const found = credentials[caller];
    if (found === undefined) throw new Error(`the organization has no caller ${caller}`);
    return found as Readonly<Record<string, unknown>> & CallerCredentials;
  };
  return {
    organization,
    values,
    id: (name) => {
      const value = values[name];
      if (typeof value !== "number") throw new Error(`the states answered no number ${name}`);
      return value;
    },
    credentials: of,
    as: (caller) => {
      const { email, api_key: apiKey } = of(caller);
      return createChatClient({ baseUrl: server.url, email, apiKey });
    },
    add: (...more) => setUpChat(server, ...more.map((one) => ({ ...one, params: { ...one.params, organization } }))),
  };
}
