import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { createChatMock } from "../src/chat/mock.js";
import { strains } from "../src/traffic/rest/provoke/strains.js";
import { requestRules } from "../src/traffic/rest/request/judged-request.js";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const guide = readFileSync(join(root, "docs/clients.md"), "utf8");

describe("docs/clients.md", () => {
  it("has an example that judges a client", async () => {
    const mock = await createChatMock();
    // Inside the checkout, so that packages resolve.
    const folder = mkdtempSync(join(root, "node_modules/.clients-guide-"));
    onTestFinished(async () => {
      rmSync(folder, { recursive: true, force: true });
      await mock.close();
    });
    const example = /<!-- example: clients -->\n```ts\n([\s\S]*?)\n```/.exec(guide)?.[1] ?? "";
    const aimed = example
      .replace("http://127.0.0.1:4011", mock.url)
      .replace("accord-contracts/verify", join(root, "src/verify.ts"));
    const file = join(folder, "example.mts");
    writeFileSync(file, aimed);
    const { stdout } = await run(process.execPath, ["--import", "tsx", file], { cwd: root });

    expect(stdout).toMatch(/\nPASS {2}\d+ rules kept, none broken/);
  });

  it("lists every rule about requests and every strain", () => {
    for (const { id } of Object.values(requestRules)) expect(guide).toContain(`\`${id}\``);
    for (const name of Object.keys(strains)) expect(guide).toContain(`\`${name}\``);
  });
});
