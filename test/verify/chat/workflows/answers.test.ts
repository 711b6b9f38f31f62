import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { responseValidators } from "../../../../generated/chat/validators.js";
import { createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { listen } from "../../../../src/listen.js";
import { listWorkflows } from "../../../../src/verify/chat/workflows/list-workflows.js";
import { runWorkflows } from "../../../../src/verify/chat/workflows/run-workflows.js";
import type { CheckOutcome } from "../../../../src/verify/check.js";
import { renameWorkflow } from "./rename-workflow.js";

/** A response on its way from the reference server. */
interface Passing {
  readonly path: string;
  status: number;
  readonly headers: Record<string, string>;
  content: Buffer;
}

type Change = (answer: Passing) => void;

/** Removes the detached uploads from the response to an edit. */
function withoutDetached(answer: Passing): void {
  const body = JSON.parse(String(answer.content));
  if ("detached_uploads" in body) answer.content = Buffer.from(JSON.stringify({ ...body, detached_uploads: [] }));
}

function compress(answer: Passing): void {
  answer.headers["Content-Encoding"] = "gzip";
  answer.content = gzipSync(answer.content);
}

const sendAs =
  (type: string): Change =>
  ({ headers }) => {
    headers["Content-Type"] = type;
  };

/** Workflows, each with the change of the responses that it gets. */
const changes: readonly (readonly [name: string, workflowId: string, change: Change])[] = [
  ["capitals", "uploads-link-detach-delete", sendAs("Application/JSON; Charset=UTF-8")],
  ["spaces", "uploads-link-detach-delete", sendAs("application/JSON ;charset=utf-8")],
  ["html", "subscriptions-remove-twice", sendAs("Text/HTML; Charset=UTF-8")],
  ["incomplete", "uploads-link-detach-delete", withoutDetached],
  ["compressed", "uploads-link-detach-delete", compress],
  [
    "compressed-incomplete",
    "uploads-link-detach-delete",
    (answer) => {
      withoutDetached(answer);
      compress(answer);
    },
  ],
  [
    "empty",
    "subscriptions-remove-twice",
    (answer) => {
      if (answer.path.startsWith("/api/")) answer.content = Buffer.alloc(0);
    },
  ],
  [
    "no-setup",
    "subscriptions-remove-twice",
    (answer) => {
      answer.status = 500;
      answer.content = Buffer.from('{"msg":"No space"}');
    },
  ],
  [
    "no-upload",
    "uploads-link-detach-delete",
    (answer) => {
      if (answer.path.endsWith("/user_uploads")) answer.status = 403;
    },
  ],
];

const outcomes = new Map<string, CheckOutcome>();
const outcomeOf = (name: string) => outcomes.get(`workflow ${name}`);

// One process runs all workflows one after the other, because starting it takes longer than they do.
beforeAll(async () => {
  const reference = await createChatReference({ states: true });
  let change: Change = () => {};
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
    if (path === "/states") change = changeOf(JSON.parse(String(body.body)));
    change(passing);
    response.writeHead(passing.status, passing.headers).end(passing.content);
  });
  const { url, close } = await listen(server);
  const contract = await loadContract();
  const all = listWorkflows(contract, contract);
  const chosen = changes.flatMap(([name, workflowId]) =>
    all.filter((workflow) => workflow.workflowId === workflowId).map((workflow) => renameWorkflow(workflow, name)),
  );
  const options = { url, statesUrl: `${url}/states`, contract, validators: responseValidators };
  for (const { id, outcome } of await runWorkflows(chosen, options)) outcomes.set(id, outcome);
  await close();
  await reference.close();
});

/** Returns the change for the workflow that sets up a provider state. */
function changeOf({ check }: { readonly check: string }): Change {
  const [, , change] = changes.find(([name]) => check === `workflow ${name}`) ?? [];
  if (change === undefined) throw new Error(`unknown check ${check}`);
  return change;
}

const lastResponse = (outcome: CheckOutcome | undefined) =>
  outcome !== undefined && "trace" in outcome ? outcome.trace.at(-1)?.response : undefined;

describe("a response to a workflow", () => {
  it.each([
    ["Application/JSON; Charset=UTF-8", "capitals"],
    ["application/JSON ;charset=utf-8", "spaces"],
  ])("is JSON with the media type %s", (_, name) => {
    expect(outcomeOf(name)).toEqual({ kind: "passed" });
  });

  it("is shown with the media type as sent", () => {
    expect(lastResponse(outcomeOf("html"))).toContain("content-type: Text/HTML; Charset=UTF-8\n");
  });

  it("keeps its body if a value for a later step is missing", () => {
    const outcome = outcomeOf("incomplete");
    expect(outcome).toMatchObject({
      kind: "failed",
      problems: [
        "step detach: expected $response.body#/detached_uploads/0/id != null, got $response.body#/detached_uploads/0/id = nothing",
      ],
    });
    expect(lastResponse(outcome)).toMatch(/\n\n\{"result":"success","msg":"","detached_uploads":\[\]\}$/);
  });

  it("is decompressed, even if a value for a later step is missing", () => {
    expect(outcomeOf("compressed")).toEqual({ kind: "passed" });
    expect(lastResponse(outcomeOf("compressed-incomplete"))).toMatch(
      /\n\n\{"result":"success","msg":"","detached_uploads":\[\]\}$/,
    );
  });

  it("differs from an empty object if its body is empty", () => {
    const outcome = outcomeOf("empty");
    expect(outcome).toMatchObject({
      kind: "failed",
      problems: expect.arrayContaining(['step leave: body: expected JSON, got ""']),
    });
  });

  it("explains why a state handler failed", () => {
    const outcome = outcomeOf("no-setup");
    expect(outcome).toMatchObject({
      kind: "errored",
      reason: 'step no-setup-channel: provider state channel could not be set up: status 500, {"msg":"No space"}',
    });
  });

  it("is shown after its call, whose command includes the uploaded file", () => {
    const outcome = outcomeOf("no-upload");
    const commands = outcome?.kind === "failed" ? outcome.trace.map(({ command }) => command) : [];
    expect(commands.at(-1)).toMatch(
      /^curl -H 'accept: application\/json' -u '\S+:\*{3}' -F 'file="[^"]+";filename="rehearsal\.txt";type=application\/octet-stream' \S+\/user_uploads$/,
    );
  });
});
