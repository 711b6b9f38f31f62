import { createServer } from "node:http";
import { onTestFinished } from "vitest";
import { listen } from "../../src/base/listen.js";

/** A loopback server of a subscription whose content can change at any time. */
export interface SubscriptionServer {
  readonly url: string;
  /** Returns the body of a response. Can be replaced at any time. */
  answer: (path: string) => string | Promise<string>;
}

/** Serves subscriptions until the end of the test. */
export async function startSubscriptionServer(answer: SubscriptionServer["answer"]): Promise<SubscriptionServer> {
  const server = createServer((request, response) => {
    void Promise.resolve(host.answer(request.url ?? "/")).then((body) => response.end(body));
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  const host = { url, answer };
  return host;
}

/** A list of Trojan links, one per name. */
export function trojanList(...names: readonly string[]): string {
  return names.map((name) => `trojan://4q9JmTz2@${name}.northwind.example:443#${name}\n`).join("");
}
