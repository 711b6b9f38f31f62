import { createServer } from "node:http";
import { createChatClient } from "../../src/chat/index.js";
import { listen } from "../../src/listen.js";
import { bundleSize } from "./bundle-size.js";
import { compare, timed } from "./measure.js";

/** Overhead of a client call over a bare `fetch` with the same payload, and the size of the client in a browser. */
export async function benchClient(): Promise<string[]> {
  const body = JSON.stringify({ result: "success", msg: "", removed: ["Denmark"], not_removed: [] });
  const server = await listen(
    createServer((request, response) => {
      request.resume().on("end", () => response.writeHead(200, { "Content-Type": "application/json" }).end(body));
    }),
  );
  const chat = createChatClient({ baseUrl: server.url, email: "me@example.com", apiKey: "key" });
  const headers = {
    Authorization: `Basic ${btoa("me@example.com:key")}`,
    "Content-Type": "application/x-www-form-urlencoded",
  };
  const perCall = (call: () => Promise<unknown>) => async () => {
    const calls = 500;
    const { milliseconds } = await timed(async () => {
      for (let i = 0; i < calls; i++) await call();
    });
    return (milliseconds * 1000) / calls;
  };
  const ours = perCall(() => chat.unsubscribe({ subscriptions: ["Denmark"] }));
  const bare = perCall(async () => {
    const form = new URLSearchParams({ subscriptions: '["Denmark"]' });
    return (
      await fetch(`${server.url}/api/v1/users/me/subscriptions`, { method: "DELETE", headers, body: form })
    ).json();
  });
  await compare(1, ours, bare);
  const result = await compare(7, ours, bare);
  await server.close();
  const client = await bundleSize('export { createChatClient } from "./src/chat/index.ts";');
  const library = await bundleSize('export { default } from "openapi-fetch";');
  return [
    `client call          ${result.ours.toFixed(0)} µs, bare fetch ${result.peer.toFixed(0)} µs, ratio ${result.ratio.toFixed(2)}`,
    `client, min+gzip     ${client.initial} bytes with its operation table (limit 6144), of which openapi-fetch ${library.total}; ${client.total - client.initial} more with upload progress`,
  ];
}
