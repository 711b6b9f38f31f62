import { expect, it } from "vitest";
import { bundleSize } from "../../../scripts/bench/bundle-size.js";

// esbuild fails on a Node built-in when it bundles for the browser.
it("keeps the browser bundle of the chat client and its operation table under 7 kB", async () => {
  const { initial } = await bundleSize('export { createChatClient } from "./src/chat/client/create-chat-client.ts";');
  expect(initial).toBeGreaterThan(4096);
  expect(initial).toBeLessThan(7168);
});
