import { onTestFinished } from "vitest";
import { callers } from "../../../generated/chat/states.js";
import { type Answer, type SeenRequest, startExampleServer } from "./example-server.js";

/** A chat server with canned responses. */
export interface StubChat {
  readonly url: string;
  readonly statesUrl: string;
  /** All requests received, including setups of provider states. */
  readonly seen: readonly SeenRequest[];
}

/** The keys of the callers of every organization. No output may contain them. */
export const stubKeys: readonly string[] = callers.map((name) => `sesame-${name}`);

/** Builds the response to a setup: the callers, and values by name. */
export function stubState(values: object): object {
  const credentials = callers.map((name, index) => [
    name,
    { user_id: 40 + index, email: `${name}@org.example`, api_key: `sesame-${name}` },
  ]);
  return { organization: "org-1", credentials: Object.fromEntries(credentials), ...values };
}

/** Starts a server for the rest of the test. `answer` responds to API calls, and `state` to setups. */
export async function startStubChat(
  answer: (request: SeenRequest) => Answer,
  state: (setup: { readonly state: string; readonly check?: string }) => Answer = () => ({
    body: stubState({ stream_id: 9, message_id: 8 }),
  }),
): Promise<StubChat> {
  const server = await startExampleServer((request) =>
    request.url === "/states" ? state(JSON.parse(request.body)) : answer(request),
  );
  onTestFinished(() => server.close());
  return { url: server.url, statesUrl: `${server.url}/states`, seen: server.seen };
}
