import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { startStubChat, stubKeys } from "../stub-chat.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** Runs `npm run dredd` without npm. Its output goes to a file, because Dredd exits without flushing a pipe. */
async function runByHand(...args: string[]): Promise<{ code: number; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), "accord-dredd-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "output");
  const output = openSync(file, "w");
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/dredd.ts", ...args], {
    cwd: root,
    stdio: ["ignore", output, output],
  });
  const [code] = await once(child, "exit");
  return { code, output: readFileSync(file, "utf8") };
}

describe("npm run dredd", () => {
  it("prints the output of Dredd and the problems that Dredd does not find, and no key", async () => {
    const server = await startStubChat(() => ({
      body: { result: "success", msg: "", removed: [], not_removed: [], key: stubKeys[1] },
    }));
    const name =
      "/users/me/subscriptions#other_user_by_id > The user was removed from the channel > 200 > application/json";
    const { code, output } = await runByHand(
      ...[`${server.url}/api/v1`, "--states", server.statesUrl, "--", "--no-color", `--only=${name}`],
    );
    expect(output).toMatch(/fail.*unsubscribe\/other_user_by_id/);
    expect(output).toContain('/removed: expected ["social"], got []');
    expect(output).toContain("Authorization: ***");
    expect(output).not.toMatch(new RegExp([...stubKeys, ...stubKeys.map((key) => btoa(key).slice(0, 12))].join("|")));
    expect(code).toBe(1);
  });

  it("prints its usage", async () => {
    expect(await runByHand()).toEqual({ code: 2, output: expect.stringMatching(/^usage: npm run dredd/) });
  });

  it.each(["moon", "file:///etc", "http://127.0.0.1:4011"])("rejects the URL %s", async (url) => {
    expect(await runByHand(url)).toEqual({
      code: 2,
      output: expect.stringMatching(/^The URL of a chat server must be/),
    });
  });

  it("rejects provider states that cannot be set up", async () => {
    const server = await startStubChat(
      () => ({ body: {} }),
      () => ({ status: 404, body: "<p>", type: "text/html" }),
    );
    const { code, output } = await runByHand(`${server.url}/api/v1`, "--states", server.statesUrl);
    expect(output).toMatch(/^Provider state organization could not be set up: status 404, "<p>"/);
    expect(code).toBe(2);
    expect(server.seen).toHaveLength(1);
  });
});
