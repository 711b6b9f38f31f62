import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "docs/daemon-authors.md"), "utf8");

let folder = "";
beforeAll(() => {
  // Inside the checkout, so that packages resolve.
  folder = mkdtempSync(join(root, "node_modules/.daemon-authors-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("type-checks and runs the example in the guide for daemon authors", async () => {
  const code = /<!-- example: daemon-author -->\n```ts\n([\s\S]*?)\n```/.exec(page)?.[1] ?? "";
  const calls = `
import { createDaemonClient } from "accord-contracts/daemon";
const client = createDaemonClient({ address: server.addresses[0] ?? "" });
console.log((await client.proxySubscriptions.selectNode({ id: 1, selectedOrdinal: 2 })).selectedOrdinal);
client.close();
await server.close();
`;
  const file = join(folder, "daemon.mts");
  const aimed = (code + calls)
    .replace("port: 4030", "port: 0")
    .replaceAll("accord-contracts/daemon", join(root, "src/daemon/index.ts"));
  writeFileSync(file, aimed);
  const options =
    "--ignoreConfig --types node --noEmit --strict --target es2022 --module nodenext --skipLibCheck --allowImportingTsExtensions";
  await run(process.execPath, ["node_modules/typescript-7/bin/tsc", ...options.split(" "), file], { cwd: root });
  const { stdout } = await run(process.execPath, ["--import", "tsx", file], { cwd: root });
  expect(stdout.split("\n")).toEqual([
    "3",
    "[not_found] There is no network with id 9",
    "[unavailable] The host cannot be reached (https://sub.invalid)",
    "ProxySubscriptions/SelectNode grpc ok true",
    "2",
    "",
  ]);
});
