import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Listening } from "../src/base/listen.js";
import { createChatMock } from "../src/chat/mock.js";
import { createDaemonMock } from "../src/daemon/mock.js";
import { needing } from "./support/needing.js";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");

/** Returns the code block after `<!-- example: name -->`. */
function example(name: string): string {
  const code = new RegExp(`<!-- example: ${name} -->\n\`\`\`\\w+\n([\\s\\S]*?)\n\`\`\``).exec(readme)?.[1];
  if (code === undefined) throw new Error(`README.md has no example ${name}`);
  return code;
}

let chat: Listening;
let daemon: Awaited<ReturnType<typeof createDaemonMock>>;
let folder = "";
beforeAll(async () => {
  [chat, daemon] = await Promise.all([createChatMock(), createDaemonMock({ port: 0 })]);
  // Inside the checkout, so that packages resolve.
  folder = mkdtempSync(join(root, "node_modules/.readme-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all([chat.close(), daemon.close()]);
});

/** Replaces the addresses and imports in an example with those of this test. */
function retargeted(code: string): string {
  return code
    .replaceAll("http://127.0.0.1:4010", chat.url)
    .replaceAll("http://127.0.0.1:4020", daemon.addresses.find((address) => address.startsWith("http")) ?? "")
    .replaceAll("accord-contracts/chat/server/fastify", join(root, "src/chat/server/fastify.ts"))
    .replaceAll("accord-contracts/chat/server", join(root, "src/chat/server/index.ts"))
    .replaceAll('"accord-contracts/chat"', JSON.stringify(join(root, "src/chat/index.ts")))
    .replaceAll("accord-contracts/daemon", join(root, "src/daemon/index.ts"));
}

async function typescript(name: string, code = example(name)): Promise<string> {
  const file = join(folder, `${name}.mts`);
  writeFileSync(file, retargeted(code));
  const options =
    "--ignoreConfig --types node --noEmit --strict --target es2023 --module nodenext --skipLibCheck --allowImportingTsExtensions";
  await run(process.execPath, ["node_modules/typescript-7/bin/tsc", ...options.split(" "), file], { cwd: root });
  return (await run(process.execPath, ["--import", "tsx", file], { cwd: root })).stdout;
}

async function shell(name: string): Promise<string> {
  // Skips the line that starts the mock, because a mock is already running.
  const lines = example(name).replace(/^npx --no-install accord mock .*&$/m, "");
  return (await run("bash", ["-euc", retargeted(lines)], { cwd: root })).stdout;
}

describe("README.md", () => {
  it("starts the mocks with valid commands", () => {
    const commands = [...readme.matchAll(/^npx --no-install accord (mock \w+ --port \d+) &$/gm)].map(
      ([, command]) => command,
    );
    expect(commands).toEqual(["mock chat --port 4010", "mock daemon --port 4020"]);
  });

  needing("bash", "curl").it("calls the chat mock with curl", async () => {
    expect(JSON.parse(await shell("curl"))).toMatchObject({
      code: "STREAM_DOES_NOT_EXIST",
      stream: "nordic folk dance",
    });
  });

  it("calls the chat mock with the client", async () => {
    expect(await typescript("chat")).toBe("no channel nordic folk dance\n");
  });

  it("serves the contract with custom handlers", async () => {
    const [before = "", after = ""] = example("server").split(
      "await Fastify().register(plugin).listen({ port: 4012 });",
    );
    expect(after).toBe("");
    const calls = `const app = Fastify();
      await app.register(plugin);
      const url = await app.listen({ port: 0, host: "127.0.0.1" });
      for (const name of ["Denmark", "Denmark", "nowhere"]) {
        const body = new URLSearchParams({ subscriptions: JSON.stringify([name]) });
        const headers = { Authorization: "Basic " + btoa("me@example.com:key") };
        const response = await fetch(url + "/api/v1/users/me/subscriptions", { method: "DELETE", headers, body });
        console.log(response.status, await response.text());
      }
      await app.close();`;
    expect(await typescript("server", before + calls)).toBe(
      '200 {"result":"success","msg":"","removed":["Denmark"],"not_removed":[]}\n' +
        '200 {"result":"success","msg":"","removed":[],"not_removed":["Denmark"]}\n' +
        '400 {"result":"error","code":"STREAM_DOES_NOT_EXIST","msg":"No channel nowhere","stream":"nowhere"}\n',
    );
  });

  needing("bash", "curl").it("calls the daemon mock with curl", async () => {
    expect(JSON.parse(await shell("connect"))).toEqual({ id: expect.any(Number), selectedOrdinal: expect.any(Number) });
  });

  it("calls the daemon mock with the client", async () => {
    expect(await typescript("daemon")).toMatch(/^\d+\n$/);
  });

  it("shows the case exactly as in the contract", () => {
    const source = readFileSync(join(root, "openapi/components/examples/unsubscribe/unknown_channel.yaml"), "utf8");
    expect(readme).toContain(source.trim());
  });

  it("names only existing npm scripts", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const named = [
      ...`${readme}${readFileSync(join(root, "CONTRIBUTING.md"), "utf8")}`.matchAll(/npm run ([\w:]+)/g),
    ].map(([, name = ""]) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});
