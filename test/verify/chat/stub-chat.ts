import { onTestFinished } from "vitest";
import { callers } from "../../../generated/chat/states.js";
import { type Answer, type SeenRequest, startExampleServer } from "./example-server.js";

/** A chat server for a test that answers as it is told. */
export interface StubChat {
  readonly url: string;
  readonly statesUrl: string;
  /** What it was asked, the provider states among it. */
  readonly seen: readonly SeenRequest[];
}

/** The keys of the callers of every organization. None of them may show anywhere. */
export const stubKeys: readonly string[] = callers.map((name) => `sesame-${name}`);

/** What a setup of any state answers: the callers, and values by name. */
export function stubState(values: object): object {
  const credentials = callers.map((name, index) => [
    name,
    { user_id: 40 + index, email: `${name}@org.example`, api_key: `sesame-${name}` },
  ]);
  return { organization: "org-1", credentials: Object.fromEntries(credentials), ...values };
}

/** Serves until the test is over. `answer` is asked about calls of the API, and `state` about setups. */
export async function startStubChat(
  answer: (request: SeenRequest) => Answer,
  state: (setup: { readonly state: string }) => Answer = () => ({ body: stubState({ stream_id: 9, message_id: 8 }) }),
): Promise<StubChat> {
  const server = await startExampleServer((request) =>
    request.url === "/states" ? state(JSON.parse(request.body)) : answer(request),
  );
  onTestFinished(() => server.close());
  return { url: server.url, statesUrl: `${server.url}/states`, seen: server.seen };
}
