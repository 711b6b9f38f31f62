import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { uploadsTusResume } from "../../../openapi/checks/uploads-tus-resume.js";
import { listen } from "../../../src/base/listen.js";
import { stubState } from "../../verify/rest/stub-chat.js";
import { runCodeOf } from "../../verify/run/run-check.js";

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

const busy: Behaviour = (_, __, response) => {
  response.writeHead(423).end();
  return true;
};

describe("the check that resumes an upload", () => {
  it("passes for a server that follows the protocol", async () => {
    expect(await runCodeOf(uploadsTusResume, await startTus())).toEqual({ kind: "passed" });
  });

  it("asks again while the server still processes the interrupted request", async () => {
    let left = 5;
    const server = await startTus((...call) => call[1].method === "HEAD" && left-- > 0 && busy(...call));
    expect(await runCodeOf(uploadsTusResume, server)).toEqual({ kind: "passed" });
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
    const outcome = await runCodeOf(uploadsTusResume, await startTus(behave));
    expect(outcome.kind === "failed" ? outcome.problems.join("\n") : outcome).toMatch(want);
    expect(JSON.stringify(outcome)).not.toMatch(/sesame-/);
  });

  it("is skipped if the server creates no upload", async () => {
    const server = await startTus((_, __, response) => !!response.writeHead(500).end());
    expect(await runCodeOf(uploadsTusResume, server)).toEqual({
      kind: "skipped",
      reason: "no upload could be created: status 500",
    });
  });
});
