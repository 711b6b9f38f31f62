import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { listen } from "../../../../src/listen.js";
import { runTusCheck, tusCheck } from "../../../../src/verify/chat/tus/run-tus-check.js";
import { stubState } from "../stub-chat.js";

const resumption = tusCheck({ workflowId: "uploads-tus-resume", rules: ["uploads.tus.resumable"] });
const usual = { timeoutMs: 300_000, signal: new AbortController().signal };

let reference: ChatReference;
beforeAll(async () => {
  reference = await createChatReference({ states: true });
});
afterAll(() => reference.close());

/** The state of the only upload of a server. */
interface Upload {
  length: number;
  offset: number;
}

type Behaviour = (upload: Upload, request: IncomingMessage, response: ServerResponse) => boolean | undefined;

/** Starts a small tus server. If `behave` returns true, it has already responded. */
async function startTus(behave: Behaviour = () => false) {
  const upload: Upload = { length: 0, offset: 0 };
  const server = createServer(async (request, response) => {
    response.setHeader("Tus-Resumable", "1.0.0");
    if (request.url === "/states") return void response.end(JSON.stringify(stubState({})));
    if (behave(upload, request, response)) return;
    switch (request.method) {
      case "POST":
        upload.length = Number(request.headers["upload-length"]);
        return void response.writeHead(201, { Location: "/api/v1/tus/1" }).end();
      case "HEAD":
        response.setHeader("Cache-Control", "no-store");
        return void response.writeHead(200, { "Upload-Offset": upload.offset, "Upload-Length": upload.length }).end();
      default: {
        if (Number(request.headers["upload-offset"]) !== upload.offset) return void response.writeHead(409).end();
        try {
          for await (const piece of request) upload.offset += piece.length;
        } catch {
          return;
        }
        response.writeHead(204, { "Upload-Offset": upload.offset }).end();
      }
    }
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  return { url, statesUrl: url };
}

describe("runTusCheck", () => {
  it("passes for the reference server", async () => {
    const check = await runTusCheck(resumption, { ...usual, url: reference.url, statesUrl: reference.statesUrl });
    expect(check?.outcome).toEqual({ kind: "passed" });
    expect(check?.id).toBe("workflow uploads-tus-resume");
  });

  it("passes for a server that follows the protocol", async () => {
    expect(await runTusCheck(resumption, { ...usual, ...(await startTus()) })).toMatchObject({
      outcome: { kind: "passed" },
    });
  });

  it("asks again while the server still processes the interrupted request", async () => {
    let busy = 5;
    const server = await startTus((_, { method }, response) => {
      if (method !== "HEAD" || busy-- <= 0) return false;
      response.writeHead(423).end();
      return true;
    });
    expect(await runTusCheck(resumption, { ...usual, ...server })).toMatchObject({ outcome: { kind: "passed" } });
  });

  it.each<[string, Behaviour, RegExp]>([
    [
      "forgets the upload when the connection is cut",
      (upload, { method }) => {
        if (method === "HEAD") upload.offset = 0;
        return false;
      },
      /after the cut: expected Upload-Offset from 16 to 26, got 0/,
    ],
    [
      "accepts a part at any offset",
      (_, { method, headers }, response) => {
        if (method !== "PATCH" || Number(headers["upload-offset"]) === 0) return false;
        response.writeHead(204, { "Upload-Offset": 52 }).end();
        return true;
      },
      /a part with a wrong offset: expected status 409, got 204/,
    ],
    [
      "responds to a part with 200",
      (_, { method }, response) => {
        if (method !== "PATCH") return false;
        response.writeHead(200).end();
        return true;
      },
      /the first part: expected status 204, got 200/,
    ],
    [
      "allows caching of the offset and omits the length",
      (upload, { method }, response) => {
        if (method !== "HEAD") return false;
        response.writeHead(200, { "Upload-Offset": upload.offset }).end();
        return true;
      },
      /expected Upload-Length 52, got none\n.*no-store/,
    ],
  ])("fails for a server that %s", async (_, behave, want) => {
    const check = await runTusCheck(resumption, { ...usual, ...(await startTus(behave)) });
    expect(check?.outcome.kind === "failed" ? check.outcome.problems.join("\n") : check?.outcome).toMatch(want);
    expect(JSON.stringify(check)).not.toMatch(/sesame-/);
  });

  it.each<[string, Behaviour, RegExp]>([
    [
      "creates no upload",
      (_, __, response) => !!response.writeHead(500).end(),
      /no upload could be created: status 500/,
    ],
  ])("skips the check if a server %s", async (_, behave, want) => {
    const check = await runTusCheck(resumption, { ...usual, ...(await startTus(behave)) });
    expect(check?.outcome).toEqual({ kind: "skipped", reason: expect.stringMatching(want) });
  });

  it("skips the check if there are no provider states, and reports an error if there is no response", async () => {
    expect(await runTusCheck(resumption, { ...usual, url: reference.url })).toMatchObject({
      outcome: { kind: "skipped", reason: "it needs provider states: give --states" },
    });
    const { url, close } = await listen(createServer());
    await close();
    const check = await runTusCheck(resumption, { ...usual, url, statesUrl: reference.statesUrl });
    expect(check?.outcome).toMatchObject({ kind: "errored", reason: expect.stringContaining("ECONNREFUSED") });
  });

  it("returns no check after the run was aborted", async () => {
    const options = { ...usual, url: reference.url, statesUrl: reference.statesUrl, signal: AbortSignal.abort() };
    expect(await runTusCheck(resumption, options)).toBeUndefined();
  });
});
