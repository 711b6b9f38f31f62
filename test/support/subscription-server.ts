import { createServer } from "node:http";
import { onTestFinished } from "vitest";
import { listen } from "../../src/listen.js";

/** A host on loopback that answers a subscription; what it answers can be changed at any time. */
export interface SubscriptionServer {
  readonly url: string;
  /** Answers this from now on: a body, or a promise of one. */
  answer: (path: string) => string | Promise<string>;
}

/** Serves subscriptions until the test is over. */
export async function startSubscriptionServer(answer: SubscriptionServer["answer"]): Promise<SubscriptionServer> {
  const server = createServer((request, response) => {
    void Promise.resolve(host.answer(request.url ?? "/")).then((body) => response.end(body));
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  const host = { url, answer };
  return host;
}

/** A list of Trojan links, one for each name. */
export function trojanList(...names: readonly string[]): string {
  return names.map((name) => `trojan://4q9JmTz2@${name}.northwind.example:443#${name}\n`).join("");
}
