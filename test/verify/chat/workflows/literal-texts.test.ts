import { describe, expect, it } from "vitest";
import { responseValidators } from "../../../../generated/chat/validators.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import type { ReadWorkflow } from "../../../../src/contract/chat/workflows.js";
import { runWorkflows } from "../../../../src/verify/chat/workflows/run-workflows.js";
import { expand } from "../../../scripts/generate/workflows/sample-workflow.js";
import { startStubChat, stubState } from "../stub-chat.js";

const contract = await loadContract();

/** Texts in which Redocly finds expressions, or JavaScript patterns of a replacement. */
const texts = [
  "$statusCode",
  "$5 for $inputs.x",
  "{$response.body}",
  "{$response.body#/msg}",
  "a {$statusCode} b",
  "$request.header.authorization",
  "$faker.name.firstName()",
  "$url",
  "$& $1 $$",
];

/** Sends a text in every place of a request: as a literal, or as a value that a provider state returned. */
function workflowOf(written: string): string {
  return `sends:
  summary: A text is sent as it is
  rules: [messages.edit.content]
  as: member
  given:
    - {id: sent, state: message, params: {channel: Denmark, topic: ${written}, content: ${written}}, outputs: {topic: $response.body#/topic}}
  steps:
    - id: in-body
      call: editMessage
      with: {message_id: 8, content: ${written}}
    - id: in-json
      call: unsubscribe
      with: {subscriptions: ${written.startsWith("$steps") ? `'["{${written}}"]'` : `[${written}]`}}
    - id: in-query
      call: getMessages
      with: {num_before: 0, num_after: 0, anchor: ${written}}
    - id: in-path
      call: removeNavigationView
      with: {fragment: ${written}}
      headers: {X-Text: ${written}}
    - id: in-credentials
      call: getServerSettings
      as: {email: a@example.com, api_key: ${written}}
`;
}

function read(source: string): ReadWorkflow[] {
  const { resources, problems } = expand(source);
  expect(problems).toEqual([]);
  return [...resources.values()].flat().map(({ steps, ...workflow }, index) => ({
    file: `literal-${index}.arazzo.yaml`,
    resource: "literal",
    workflowId: workflow.workflowId,
    summary: workflow.summary,
    rules: workflow["x-rules"],
    conditional: [],
    states: ["message"],
    steps,
    source: workflow,
  }));
}

/** Runs a workflow against a server that returns a text, and returns what the server received, and the outcome. */
async function run(source: string, text: string) {
  const chat = await startStubChat(
    () => ({ body: { result: "success", msg: "", detached_uploads: [], text } }),
    () => ({ body: stubState({ message_id: 8, topic: text }) }),
  );
  const [check] = await runWorkflows(read(source), { ...chat, contract, validators: responseValidators, jobs: 1 });
  const [setup, edit, unsubscribe, messages, view, settings] = chat.seen;
  const sent = {
    state: JSON.parse(setup?.body ?? "{}").params?.topic,
    body: new URLSearchParams(edit?.body).get("content"),
    json: new URLSearchParams(unsubscribe?.body).get("subscriptions"),
    query: new URL(messages?.url ?? "", chat.url).searchParams.get("anchor"),
    path: decodeURIComponent(view?.url?.split("/navigation_views/")[1] ?? ""),
    credentials: Buffer.from(settings?.authorization?.split(" ")[1] ?? "", "base64").toString(),
  };
  return { sent, outcome: check?.outcome };
}

describe("a text that looks like an expression", () => {
  it.each(texts)("is sent as it is from a workflow: %s", async (text) => {
    const { sent } = await run(workflowOf(JSON.stringify(text)), text);
    expect(sent).toEqual({
      state: text,
      body: text,
      json: JSON.stringify([text]),
      query: text,
      path: text,
      credentials: `a@example.com:${text}`,
    });
  });

  it("is compared as it is", async () => {
    const source = `compares:
  summary: A text is compared as it is
  rules: [messages.edit.content]
  as: member
  given: [organization]
  steps:
    - id: edit
      call: editMessage
      with: {message_id: 8, content: x}
      expect: {/text: $statusCode}
`;
    expect((await run(source, "$statusCode")).outcome).toEqual({ kind: "passed" });
    expect((await run(source, "200")).outcome).toMatchObject({
      kind: "failed",
      problems: ['step edit: expected $response.body#/text == "$statusCode", got $response.body#/text = "200"'],
    });
  });
});

describe("a value that a provider state returned", () => {
  // Respect inserts values into paths as they are, so a `#` or `/` would end the segment.
  it.each(texts.filter((text) => !/[#/]/.test(text)))("is sent as it is: %s", async (text) => {
    const source = workflowOf("$steps.sent.outputs.topic").replace(/params: \{.*?\},/, "params: {channel: Denmark},");
    const { sent } = await run(source, text);
    const { state: _, ...others } = sent;
    expect(others).toEqual({
      body: text,
      json: JSON.stringify([text]),
      query: text,
      path: text,
      credentials: `a@example.com:${text}`,
    });
  });
});
