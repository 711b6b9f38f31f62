import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";

// esbuild fails on a Node built-in when it bundles for the browser.
it("keeps the browser bundle of the chat client and its operation table under 8 kB", async () => {
  const { outputFiles } = await build({
    entryPoints: ["src/chat/client/create-chat-client.ts"],
    // What the client imports only for upload progress becomes a file of its own.
    splitting: true,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    outdir: "bundle",
    write: false,
  });
  const [client] = outputFiles.filter(({ path }) => path.endsWith("create-chat-client.js"));
  const size = gzipSync(client?.contents ?? "", { level: 9 }).length;
  expect(size).toBeGreaterThan(4096);
  expect(size).toBeLessThan(8192);
});
