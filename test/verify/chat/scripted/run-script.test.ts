import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { runScript, scriptedWorkflows } from "../../../../src/verify/chat/scripted/run-script.js";
import { startStubChat, stubKeys, stubState } from "../stub-chat.js";

const contract = await loadContract();
const usual = { contract, level: newestLevel, timeoutMs: 300_000, signal: new AbortController().signal };

function scripted(workflowId: string) {
  const found = scriptedWorkflows(contract).find((one) => one.workflowId === workflowId);
  if (found === undefined) throw new Error(`There is no scripted workflow ${workflowId}`);
  return found;
}

const uploaded = { body: { result: "success", msg: "", url: "/user_uploads/1/cast.bin", filename: "cast.bin" } };

describe("a scripted workflow", () => {
  it("reports an upload that other users open before it is shared", async () => {
    const server = await startStubChat(({ url = "" }) => {
      if (url.endsWith("-unknown")) return { status: 404, body: {} };
      return url === "/api/v1/user_uploads" ? uploaded : { body: {} };
    });
    const check = await runScript(scripted("uploads-share"), { ...usual, ...server });
    const outcome = check?.outcome;
    expect(outcome?.kind === "failed" ? outcome.problems : outcome).toContain(
      "other opens the upload before it was shared",
    );
    for (const key of stubKeys) expect(JSON.stringify(check)).not.toContain(key);
  });

  it("is skipped if a GET of an unknown URL succeeds, because a success then does not show that an upload exists", async () => {
    const server = await startStubChat(({ url }) => (url === "/api/v1/user_uploads" ? uploaded : { body: {} }));
    const check = await runScript(scripted("uploads-share"), { ...usual, ...server });
    expect(check?.outcome).toEqual({ kind: "skipped", reason: "a GET of an unknown URL succeeds as well" });
  });

  it.each([
    { level: 381, want: "passed" },
    { level: 382, want: "failed" },
  ])("is $want at level $level if the server lacks the operation that level 381 added", async (one) => {
    const server = await startStubChat(({ url = "" }) => ({
      status: url.startsWith("/api/v1/reminders") ? 404 : 401,
      body: {},
    }));
    const check = await runScript(scripted("conventions-level"), { ...usual, ...server, level: one.level });
    expect(check?.outcome.kind).toBe(one.want);
  });

  it("sends no credentials to another origin", async () => {
    const body = { ...uploaded.body, url: "http://127.0.0.2:9/user_uploads/1/cast.bin" };
    const server = await startStubChat(() => ({ body }));
    const check = await runScript(scripted("uploads-share"), { ...usual, ...server });
    expect(check?.outcome).toEqual({
      kind: "skipped",
      reason: "the upload is at an origin other than that of the API",
    });
  });

  it("is skipped if the server lacks an optional provider state", async () => {
    const server = await startStubChat(
      () => ({ body: {} }),
      ({ state }) => (state === "session" ? { status: 400, body: { msg: "Unknown state" } } : { body: stubState({}) }),
    );
    const check = await runScript(scripted("authentication-session"), { ...usual, ...server });
    expect(check?.outcome).toEqual({ kind: "skipped", reason: expect.stringContaining("Unknown state") });
  });

  it.each([
    { status: 400, kind: "errored" },
    { status: 501, kind: "skipped" },
  ])("is $kind if the server answers $status for a provider state that is not optional", async ({ status, kind }) => {
    const server = await startStubChat(
      () => ({ body: {} }),
      () => ({ status, body: { msg: "Unknown state" } }),
    );
    const check = await runScript(scripted("uploads-read"), { ...usual, ...server });
    expect(check?.outcome).toMatchObject({ kind, reason: expect.stringContaining("Unknown state") });
  });

  it("is skipped without provider states", async () => {
    const check = await runScript(scripted("uploads-read"), { ...usual, url: "http://127.0.0.1:9" });
    expect(check?.outcome).toEqual({ kind: "skipped", reason: "it needs provider states: give --states" });
  });

  it("allows further fields at a feature level newer than the contract", async () => {
    const server = await startStubChat(() => ({ body: { result: "success", msg: "", later: 1 } }));
    const workflow = scripted("conventions-nothing-else");
    expect((await runScript(workflow, { ...usual, ...server }))?.outcome.kind).toBe("failed");
    expect((await runScript(workflow, { ...usual, ...server, isNewer: true }))?.outcome.kind).toBe("skipped");
  });
});
