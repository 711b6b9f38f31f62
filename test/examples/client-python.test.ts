import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../reference/chat/create-chat-reference.js";
import { needing } from "../support/needing.js";
import { startAccord } from "../support/run-accord.js";
import { copyExample, readmeLine } from "./example-copy.js";

const { describe } = needing("bash", "python3-requests");

const run = promisify(execFile);

let server: ChatReference;
beforeAll(async () => {
  server = await createChatReference({ states: true });
});
afterAll(() => server.close());

/**
 * Starts the proxy and runs the tests of the client through it, with the commands of the README. Returns the exit codes and the verdict.
 */
async function judge(tests: string) {
  const { folder } = copyExample("client-python");
  const proxyLine = readmeLine("client-python", "npx --no-install accord proxy", {
    "http://127.0.0.1:4011": server.url,
    "--port 4015": "--port 0",
  });
  const { printed, child, finished } = startAccord(...proxyLine.split(" ").slice(3));
  const [, proxy] = await printed(/chat proxy +(http:\S+)/);
  const env = { ...process.env, CHAT_URL: proxy, STATES_URL: server.statesUrl };
  const line = readmeLine("client-python", tests);
  const tested = await run("bash", ["-euc", line], { cwd: folder, env }).then(
    ({ stderr }) => ({ passed: true, stderr }),
    ({ stderr }) => ({ passed: false, stderr }),
  );
  child.kill("SIGINT");
  return { ...(await finished), tested };
}

describe("the chat client in Python", () => {
  it("passes its tests and breaks no rule", async () => {
    const { code, stdout, tested } = await judge("/usr/bin/python3 -m unittest");
    expect(tested.stderr).toMatch(/Ran 4 tests in .*\n\nOK\n$/);
    expect(stdout).toMatch(/\noperations +5 /);
    expect(stdout).toMatch(/\nPASS {2}\d+ rules kept, none broken/);
    expect(code).toBe(0);
  });

  it("breaks five rules with its five mistakes", async () => {
    const { code, stdout, tested } = await judge("CLIENT=careless_client");
    expect(tested.passed).toBe(false);
    const broken = [...stdout.matchAll(/^(request\.\S+) {2}FAIL$/gm)].map(([, rule]) => rule);
    expect(broken.sort()).toEqual([
      "request.credentials-in-url",
      "request.media-type",
      "request.name",
      "request.operation",
      "request.type",
    ]);
    expect(stdout).toContain("aply_markdown is not a parameter; did you mean apply_markdown?");
    expect(stdout).toMatch(/\nFAIL {2}5 rules broken/);
    expect(code).toBe(1);
  });
});
