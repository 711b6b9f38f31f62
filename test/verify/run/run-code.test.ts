import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { listen } from "../../../src/base/listen.js";
import { createCodeGuard } from "../../../src/verify/run/code-guard.js";
import { type CheckedServer, defineCheck } from "../../../src/verify/run/define-check.js";
import { startStubChat, stubKeys } from "../rest/stub-chat.js";
import { runCodeOf } from "./run-check.js";

const codeCheck = (run: (server: CheckedServer) => Promise<void>) =>
  defineCheck({ id: "workflow example", operation: "example", summary: "An example", rules: ["a.one", "a.two"], run });
const get = (url: string) => ({ method: "GET", url, as: "member" });

describe("a check in code", () => {
  it.each<[string, (server: CheckedServer) => Promise<void>, object]>([
    ["passes without problems", async () => {}, { kind: "passed" }],
    [
      "breaks the rules that it names",
      async ({ fail }) => fail("a problem", "a.two"),
      { kind: "failed", problems: ["a problem"], broken: ["a.two"] },
    ],
    ["breaks all of its rules if it names none", async ({ fail }) => fail("a problem"), { broken: ["a.one", "a.two"] }],
    ["is skipped for a reason", async ({ skip }) => skip("it is dark"), { kind: "skipped", reason: "it is dark" }],
    [
      "is skipped instead of sending credentials to another origin",
      async ({ setUp, send }) => {
        await setUp("organization");
        await send(get("http://127.0.0.2:9/"));
      },
      { kind: "skipped", reason: "the URL is at an origin other than that of the API" },
    ],
    [
      "goes on without a state that the server refuses",
      async ({ setUpIfPossible, skip }) => skip(`state: ${await setUpIfPossible("session")}`),
      { kind: "skipped", reason: "state: undefined" },
    ],
    [
      "is skipped if the server lacks an optional state",
      async ({ setUp }) => void (await setUp("session")),
      { kind: "skipped", reason: expect.stringContaining("Unknown state") },
    ],
  ])("%s", async (_, run, want) => {
    const server = await startStubChat(
      () => ({ body: {} }),
      ({ state }) =>
        state === "session"
          ? { status: 400, body: { msg: "Unknown state" } }
          : {
              body: {
                organization: "o",
                credentials: { member: { user_id: 1, email: "m@x", api_key: stubKeys[3] ?? "" } },
              },
            },
    );
    expect(await runCodeOf(codeCheck(run), server)).toMatchObject(want);
  });

  it("reports an error with its exchanges if there is no response", async () => {
    const { statesUrl } = await startStubChat(() => ({ body: {} }));
    const { url, close } = await listen(createServer());
    await close();
    const outcome = await runCodeOf(
      codeCheck(async ({ setUp, send }) => {
        await setUp("organization");
        await send(get("/"));
      }),
      { url, statesUrl },
    );
    expect(outcome).toMatchObject({ kind: "errored", reason: expect.stringContaining("ECONNREFUSED") });
    for (const key of stubKeys) expect(JSON.stringify(outcome)).not.toContain(key);
  });

  it("is skipped without provider states", async () => {
    const outcome = await runCodeOf(
      codeCheck(async () => {}),
      { url: "http://127.0.0.1:9" },
    );
    expect(outcome).toMatchObject({ kind: "skipped", reason: "it needs provider states: give --states" });
  });

  it("rejects after the run was aborted", async () => {
    const server = await startStubChat(() => ({ body: {} }));
    const check = codeCheck(async ({ setUp }) => void (await setUp("organization")));
    await expect(runCodeOf(check, { ...server, signal: AbortSignal.abort(new Error("stopped")) })).rejects.toThrow(
      "stopped",
    );
  });
});

it("leaves nothing on the promises of a process after each run, which took gigabytes in tests", async () => {
  const marks = () => Object.getOwnPropertySymbols(new Promise(() => {})).length;
  const before = marks();
  for (let runs = 0; runs < 3; runs++) {
    const guard = createCodeGuard(60_000);
    await guard.run("check", async () => {});
    guard.close();
  }
  await new Promise(setImmediate);
  expect(marks()).toBe(before);
});
