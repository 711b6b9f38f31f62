import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { responseValidators } from "../../../../generated/chat/validators.js";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { listen } from "../../../../src/listen.js";
import { listWorkflows } from "../../../../src/verify/chat/workflows/list-workflows.js";
import { runWorkflows } from "../../../../src/verify/chat/workflows/run-workflows.js";
import type { CheckOutcome } from "../../../../src/verify/check.js";

const contract = await loadContract();
const all = listWorkflows(contract, contract);
let reference: ChatReference;
beforeAll(async () => {
  reference = await createChatReference({ states: true });
});
afterAll(() => reference.close());

/** A response on its way from the reference server. */
interface Passing {
  readonly path: string;
  status: number;
  readonly headers: Record<string, string>;
  content: Buffer;
}

/** Runs a workflow against the reference server; `change` modifies its responses. */
async function run(workflowId: string, change: (answer: Passing) => void): Promise<CheckOutcome | undefined> {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { method = "", url: path = "", headers } = request;
    const body = pieces.length === 0 ? {} : { body: Buffer.concat(pieces) };
    const { authorization = "", "content-type": type = "" } = headers;
    const sent = { "content-type": type, ...(authorization === "" ? {} : { authorization }) };
    const answer = await fetch(reference.url + path, { method, headers: sent, ...body });
    const content = Buffer.from(await answer.arrayBuffer());
    const passing = { path, status: answer.status, headers: { "Content-Type": "application/json" }, content };
    change(passing);
    response.writeHead(passing.status, passing.headers).end(passing.content);
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  const chosen = all.filter((workflow) => workflow.workflowId === workflowId);
  const options = { url, statesUrl: `${url}/states`, contract, validators: responseValidators };
  const [check] = await runWorkflows(chosen, options);
  return check?.outcome;
}

/** Removes the detached uploads from the response to an edit. */
function withoutDetached(answer: Passing): void {
  const body = JSON.parse(String(answer.content));
  if ("detached_uploads" in body) answer.content = Buffer.from(JSON.stringify({ ...body, detached_uploads: [] }));
}

const lastResponse = (outcome: CheckOutcome | undefined) =>
  outcome !== undefined && "trace" in outcome ? outcome.trace.at(-1)?.response : undefined;

describe("a response to a workflow", () => {
  it.each(["Application/JSON; Charset=UTF-8", "application/JSON ;charset=utf-8"])(
    "is JSON with the media type %s",
    async (type) => {
      const outcome = await run("uploads-link-detach-delete", ({ headers }) => {
        headers["Content-Type"] = type;
      });
      expect(outcome).toEqual({ kind: "passed" });
    },
  );

  it("is shown with the media type as sent", async () => {
    const outcome = await run("subscriptions-remove-twice", (answer) => {
      answer.headers["Content-Type"] = "Text/HTML; Charset=UTF-8";
    });
    expect(lastResponse(outcome)).toContain("content-type: Text/HTML; Charset=UTF-8\n");
  });

  it("keeps its body if a value for a later step is missing", async () => {
    const outcome = await run("uploads-link-detach-delete", withoutDetached);
    expect(outcome).toMatchObject({
      kind: "failed",
      problems: [
        "step detach: expected $response.body#/detached_uploads/0/id != null, got $response.body#/detached_uploads/0/id = nothing",
      ],
    });
    expect(lastResponse(outcome)).toMatch(/\n\n\{"result":"success","msg":"","detached_uploads":\[\]\}$/);
  });

  it("is decompressed, even if a value for a later step is missing", async () => {
    const compress = (answer: Passing) => {
      answer.headers["Content-Encoding"] = "gzip";
      answer.content = gzipSync(answer.content);
    };
    expect(await run("uploads-link-detach-delete", compress)).toEqual({ kind: "passed" });
    const outcome = await run("uploads-link-detach-delete", (answer) => {
      withoutDetached(answer);
      compress(answer);
    });
    expect(lastResponse(outcome)).toMatch(/\n\n\{"result":"success","msg":"","detached_uploads":\[\]\}$/);
  });

  it("differs from an empty object if its body is empty", async () => {
    const outcome = await run("subscriptions-remove-twice", (answer) => {
      if (answer.path.startsWith("/api/")) answer.content = Buffer.alloc(0);
    });
    expect(outcome).toMatchObject({
      kind: "failed",
      problems: expect.arrayContaining(['step leave: body: expected JSON, got ""']),
    });
  });

  it("explains why a state handler failed", async () => {
    const outcome = await run("subscriptions-remove-twice", (answer) => {
      answer.status = 500;
      answer.content = Buffer.from('{"msg":"No space"}');
    });
    expect(outcome).toMatchObject({
      kind: "errored",
      reason:
        'step subscriptions-remove-twice-channel: provider state channel could not be set up: status 500, {"msg":"No space"}',
    });
  });

  it("is shown after its call, whose command includes the uploaded file", async () => {
    const outcome = await run("uploads-link-detach-delete", (answer) => {
      if (answer.path.endsWith("/user_uploads")) answer.status = 403;
    });
    const commands = outcome?.kind === "failed" ? outcome.trace.map(({ command }) => command) : [];
    expect(commands.at(-1)).toMatch(
      /^curl -H 'accept: application\/json' -u '\S+:\*{3}' -F 'file="[^"]+";filename="rehearsal\.txt";type=application\/octet-stream' \S+\/user_uploads$/,
    );
  });
});
