import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { loadContract, loadWorkflows } from "../../../../src/chat/contract.js";
import type { CallStep, Expected, StateStep, Step } from "../../../../src/contract/check.js";
import type { Matcher } from "../../../../src/contract/matcher.js";
import { arazzoProfile } from "../../../../src/contract/rest/profiles/arazzo/arazzo-profile.js";
import type { Workflow } from "../../../../src/contract/rest/workflows.js";

const contract = await loadContract();

const given: StateStep = { kind: "state", id: "given", state: "message", params: { channel: "Denmark" }, values: [] };
const call = (id: string, changes: Partial<CallStep> = {}): CallStep => ({
  ...{ kind: "call", id, as: "member", call: "getMessages", with: {}, expect: [{ status: 200 }] },
  ...changes,
});
const edit = (id: string, changes: Partial<CallStep> = {}) =>
  call(id, { call: "editMessage", with: { message_id: 7, content: "Who is there" }, ...changes });

interface Written {
  readonly workflowId: string;
  readonly "x-rules": readonly string[];
  readonly "x-left-out"?: readonly { readonly step: string; readonly reason: string }[];
  readonly inputs?: { readonly properties: Readonly<Record<string, { readonly default: string }>> };
  readonly steps: readonly {
    readonly stepId: string;
    readonly parameters?: readonly { readonly name: string; readonly in: string; readonly value: unknown }[];
    readonly requestBody?: { readonly contentType: string; readonly payload: Readonly<Record<string, unknown>> };
    readonly successCriteria: readonly object[];
    readonly outputs?: Readonly<Record<string, string>>;
  }[];
}

/** The Arazzo form of a workflow, and the documents. Undefined if it is left out. */
function write(
  steps: readonly Step[],
  rules: readonly string[] = ["messages.get.anchor"],
  changes: Partial<typeof contract> = {},
) {
  const workflow: Workflow = {
    ...{ id: "workflow sample", kind: "workflow", operation: "reading", summary: "Reads", source: "a.yaml:1" },
    ...{ rules, steps },
  };
  const added = rules.map((id) => ({ id, text: id }));
  const known = { ...contract, "x-rules": [...(contract["x-rules"] ?? []), ...added], ...changes };
  const documents = arazzoProfile("chat", known as typeof contract, [workflow], newestLevel);
  const document: { workflows: Written[] } | undefined = parse(documents.get("reading.arazzo.yaml") ?? "null");
  return { documents, workflow: document?.workflows[0] };
}

describe("an expected response in Arazzo", () => {
  const at = (condition: string) => ({ context: "$response.body", condition: `$[?${condition}]`, type: "jsonpath" });
  it.each<[what: string, matcher: Matcher, want: readonly object[]]>([
    ["a value", 7, [{ condition: "$response.body#/a == 7" }]],
    ["a text", "Denmark", [{ condition: '$response.body#/a == "Denmark"' }]],
    ["a text with quotation marks", 'a "b"', [at('@.a == "a \\"b\\""')]],
    ["a text with a dollar sign", "$$$5", [at('@.a == "$5"')]],
    ["a value of an earlier step", "$given.id", [{ condition: "$response.body#/a == $steps.sample-given.outputs.id" }]],
    ["a list", [1, null], [{ condition: "$response.body#/a/0 == 1" }, { condition: "$response.body#/a/1 == null" }]],
    ["a present value", { present: true }, [{ condition: "$response.body#/a != null" }]],
    ["an absent value", { present: false }, [at("!@.a")]],
    [
      "bounds",
      { "at-least": 1, below: "$given.id" },
      [{ condition: "$response.body#/a >= 1" }, { condition: "$response.body#/a < $steps.sample-given.outputs.id" }],
    ],
    ["a bound with more digits", { above: "{$given.id}000" }, [at("@.a > {$steps.sample-given.outputs.id}000")]],
    ["a pattern", { matches: "^<p>" }, [{ context: "$response.body#/a", condition: "^<p>", type: "regex" }]],
    ["a part of a text", { contains: "1.5" }, [{ context: "$response.body#/a", condition: "1\\.5", type: "regex" }]],
    [
      "no such pattern",
      { not: { matches: "b|c" } },
      [{ context: "$response.body#/a", condition: "^(?![\\s\\S]*(?:b|c))", type: "regex" }],
    ],
    ["another value", { not: "b" }, [at('@.a != "b"')]],
    ["no such object", { not: { at: { "/b": 1, "/c": 2 } } }, [at("!(@.a.b == 1 && @.a.c == 2)")]],
    [
      "values of an object",
      { at: { "/b": 1, "/c/0": { present: true } } },
      [{ condition: "$response.body#/a/b == 1" }, { condition: "$response.body#/a/c/0 != null" }],
    ],
    [
      "one of several",
      { any: [{ at: { "/b": 1 } }, { at: { "/b": 2, "/c": 3 } }] },
      [{ condition: "$response.body#/a/b == 1 || $response.body#/a/b == 2 && $response.body#/a/c == 3" }],
    ],
    ["one of several of which one is missing", { any: [1, { present: false }] }, [at("@.a == 1 || !@.a")]],
    [
      "an entry",
      { includes: { at: { "/id": "$given.id", "/b": null } } },
      [at("@.a[?@.id == {$steps.sample-given.outputs.id} && @.b == null]")],
    ],
    ["every entry", { every: { above: 1 } }, [at("@.a && !@.a[?!(@ > 1)]")]],
    ["a number of entries", { count: { "at-most": 2 } }, [at("length(@.a) <= 2")]],
    ["an optional value", { "if-present": 7 }, [at("!@.a || @.a == 7")]],
    [
      "a value that may be another one of the response",
      { "if-present": "$response.b" },
      [at("!@.a || !@.b || @.a == @.b")],
    ],
  ])("is written for %s", (_, matcher, want) => {
    const { workflow } = write([given, call("read", { expect: [{ status: 200, body: { "/a": matcher } }] })]);
    expect(workflow?.steps[1]?.successCriteria).toEqual([{ condition: "$statusCode == 200" }, ...want]);
  });

  it.each<[pointer: string, matcher: Matcher, context: string, condition: string]>([
    ["/list/0/a", { not: 1 }, "$response.body#/list/0", "$[?@.a != 1]"],
    ["/list/0", { not: 1 }, "$response.body#/list/0", "$[?@ != 1]"],
    ["/list/0/a/1/b", { includes: "$response.c" }, "$response.body#/list/0/a/1", "$[?@.b[?@ == {$response.body#/c}]]"],
    ["/list/0/a", { present: false }, "$response.body", "$[?!@.list[0].a]"],
  ])("compares nothing by the index of a list in a JSON path: %s %j", (pointer, matcher, context, condition) => {
    const { workflow } = write([given, call("read", { expect: [{ status: 200, body: { [pointer]: matcher } }] })]);
    expect(workflow?.steps[1]?.successCriteria[1]).toEqual({ context, condition, type: "jsonpath" });
  });

  const refusal = { condition: "$statusCode >= 400 && $statusCode != 429" };
  it.each<[Expected, readonly object[]]>([
    [{ status: 400 }, [{ condition: "$statusCode == 400" }]],
    [{ status: 400, recommendedBy: "errors.status" }, [refusal]],
    [{ status: "4XX" }, [refusal]],
    [{}, [{ condition: "$statusCode != 429" }]],
    [
      { status: { not: { any: [401, 403] } } },
      [{ condition: "$statusCode != 429" }, { condition: "$statusCode != 401" }, { condition: "$statusCode != 403" }],
    ],
    [{ status: "2XX" }, [{ condition: "$statusCode >= 200 && $statusCode < 300" }]],
    [{ status: { not: 404 } }, [{ condition: "$statusCode != 429" }, { condition: "$statusCode != 404" }]],
    [
      { status: 201, headers: { Location: { present: true } } },
      [{ condition: "$statusCode == 201" }, { condition: "$response.header.Location != null" }],
    ],
  ])("is written for %j", (expected, want) => {
    expect(write([given, call("read", { expect: [expected] })]).workflow?.steps[1]?.successCriteria).toEqual(want);
  });

  it("has a JSON path for a member that an earlier step names", () => {
    const body = { "/methods/{$given.keys.0}": true };
    const { workflow } = write([given, call("read", { expect: [{ status: 200, body }] })]);
    expect(workflow?.steps[0]?.outputs).toMatchObject({ keys_0: "$response.body#/keys/0" });
    expect(workflow?.steps[1]?.successCriteria[1]).toEqual(
      at("@.methods[{$steps.sample-given.outputs.keys_0}] == true"),
    );
  });
});

describe("a request in Arazzo", () => {
  it("has lists and objects as JSON text, encoded path parameters, and values of earlier steps", () => {
    const { workflow } = write([
      given,
      call("read", {
        with: { anchor: "$given.message_id", narrow: [["channel", "{$given.name}"]] },
        outputs: { id: "/anchor" },
      }),
      call("remove", {
        call: "removeNavigationView",
        with: { fragment: "narrow/is/a%20b" },
        written: { fragment: "verbatim" },
        headers: { "X-Id": "$read.id" },
      }),
      edit("edit", {
        with: { message_id: "$read.id", content: "$$$statusCode", colour: "blue" },
        written: { colour: "text" },
      }),
    ]);
    const [setup, read, remove, edited] = workflow?.steps ?? [];
    expect(setup).toMatchObject({
      stepId: "sample-given",
      requestBody: {
        payload: { state: "message", params: { channel: "Denmark" }, action: "setup", check: "workflow sample" },
      },
      outputs: {
        member_email: "$response.body#/credentials/member/email",
        message_id: "$response.body#/message_id",
      },
    });
    expect(read).toMatchObject({
      stepId: "sample-read",
      "x-security": [{ schemeName: "basicAuth", values: { username: "$steps.sample-given.outputs.member_email" } }],
      parameters: [
        { name: "anchor", in: "query", value: "$steps.sample-given.outputs.message_id" },
        { name: "narrow", in: "query", value: '[["channel","{$steps.sample-given.outputs.name}"]]' },
      ],
      outputs: { id: "$response.body#/anchor" },
    });
    expect(remove?.parameters).toEqual([
      { name: "fragment", in: "path", value: "narrow/is/a%20b" },
      { name: "X-Id", in: "header", value: "$steps.sample-read.outputs.id" },
    ]);
    expect(edited?.requestBody?.payload).toEqual({ content: "$inputs.text_1", colour: "blue" });
    expect(workflow?.inputs?.properties).toEqual({ text_1: { type: "string", default: "$statusCode" } });
  });

  it.each([
    [{ type: "http", scheme: "bearer" }, { token: "$steps.sample-given.outputs.member_token" }],
    [{ type: "openIdConnect" }, { accessToken: "$steps.sample-given.outputs.member_token" }],
    [{ type: "apiKey", in: "query", name: "k" }, { apiKey: "$steps.sample-given.outputs.member_key" }],
  ])("logs in by the scheme %j of the contract", (scheme, values) => {
    const components = { ...contract.components, securitySchemes: { own: scheme } };
    const { workflow } = write([given, call("read"), call("open", { as: "nobody" })], undefined, {
      ...{ components, security: [{ own: [] }], "x-accord": {} },
    });
    expect(workflow?.steps[1]).toMatchObject({ "x-security": [{ schemeName: "own", values }] });
    expect(workflow?.steps[2]).not.toHaveProperty("x-security");
  });

  it("uploads a file beside the document", () => {
    const file = { name: "rehearsal.txt", text: "Bring the skull.\n" };
    const { documents, workflow } = write([given, call("upload", { call: "uploadFile", with: { file } })]);
    expect(workflow?.steps[1]?.requestBody).toEqual({
      contentType: "multipart/form-data",
      payload: { file: "$file('files/rehearsal.txt')" },
    });
    expect(documents.get("files/rehearsal.txt")).toBe("Bring the skull.\n");
  });

  it("belongs to the organization of the first state, unless the state makes another one", () => {
    const other: StateStep = { ...given, id: "other" };
    const { workflow } = write([given, other, { ...other, id: "fresh", fresh: true }, call("read")]);
    const params = workflow?.steps.map(({ requestBody }) => requestBody?.payload.params);
    const organization = "$steps.sample-given.outputs.organization";
    expect(params?.slice(0, 3)).toEqual([
      { channel: "Denmark" },
      { organization, channel: "Denmark" },
      { channel: "Denmark" },
    ]);
  });
});

describe("what Arazzo or Respect cannot express", () => {
  const same: CallStep["expect"] = [{ status: 200, body: { "/a": { base64: "x" } } }];
  const steps = [given, call("before", { rules: ["a"] })];
  const ids = ["sample-given", "before"];
  it.each<[what: string, step: Step, reason: string]>([
    ["a matcher", call("one", { expect: same }), "a JSON path has nothing like `base64`"],
    [
      "a comparison by an index",
      call("one", { expect: [{ status: 200, body: { "/a": { includes: { at: { "/0": 1 } } } } }] }),
      "Respect compares no value by the index of a list within a JSON path",
    ],
    ["bytes", call("one", { expect: [{ status: 200, bytes: "every-byte" }] }), "Arazzo has nothing like `bytes`"],
    ["a request", call("one", { request: { method: "GET", url: "/x" } }), "Arazzo has nothing like `request`"],
    ["a precondition", call("one", { precondition: true }), "Arazzo has nothing like `precondition`"],
    [
      "steps at the same time",
      { kind: "parallel", id: "one", steps: [call("a"), call("b")] },
      "Arazzo has no parallel steps",
    ],
    [
      "a file of bytes",
      call("one", { call: "uploadFile", with: { file: { name: "a", bytes: "every-byte" } } }),
      "Respect uploads only files beside the document",
    ],
    [
      "a text beside an expression",
      edit("one", { with: { message_id: 1, content: "{$given.id} $url" } }),
      "Respect evaluates a `$` beside an expression",
    ],
  ])("is left out: %s", (_, step, reason) => {
    const { workflow } = write([...steps, step], ["a", "b"]);
    expect(workflow?.steps.map(({ stepId }) => stepId)).toEqual(ids);
    expect(workflow?.["x-left-out"]).toEqual([{ step: "one", reason }]);
    expect(workflow?.["x-rules"]).toEqual(["a"]);
  });

  it("is left out with the steps that need it", () => {
    const one = call("one", { expect: same, outputs: { id: "/id" } });
    const { workflow } = write([...steps, one, edit("two", { with: { message_id: "$one.id" } }), call("three")], ["a"]);
    expect(workflow?.["x-left-out"]).toEqual([
      { step: "one", reason: "a JSON path has nothing like `base64`" },
      { step: "two", reason: "it needs one" },
      { step: "three", reason: "it follows two" },
    ]);
  });

  it("is left out with all later steps if it may change something", () => {
    const { workflow } = write([...steps, edit("one", { expect: same }), call("two")], ["a"]);
    expect(workflow?.steps.map(({ stepId }) => stepId)).toEqual(ids);
    expect(workflow?.["x-left-out"]?.[1]).toEqual({ step: "two", reason: "it follows one" });
  });

  it("leaves a workflow out of which nothing remains that shows a rule", () => {
    expect(write([given, call("one", { expect: same, rules: ["a"] }), call("two")], ["a"]).documents.size).toBe(0);
  });

  it("leaves out the reads before and after a refused request, with their rule", () => {
    const read = (id: string, since?: string) =>
      call(id, {
        ...{ expect: [], ...(since === undefined ? {} : { rules: ["unchanged"] }) },
        readBack: { compare: "/messages", except: [], since },
      });
    const refused = edit("one", { expect: [{ status: "4XX" }] });
    const { workflow } = write([given, read("before"), refused, read("after", "before")], ["a", "unchanged"]);
    expect(workflow).toMatchObject({ "x-rules": ["a"], steps: [{}, { stepId: "one" }] });
    expect(workflow).not.toHaveProperty("x-left-out");
  });
});

it("writes every workflow of the newest level, and those of another level for it", async () => {
  const all = await loadWorkflows();
  const names = (level: number) =>
    [...arazzoProfile("chat", contract, all, level)]
      .filter(([path]) => path.endsWith(".yaml"))
      .flatMap(([, text]) => (parse(text) as { workflows: Written[] }).workflows.map(({ workflowId }) => workflowId));
  const [newest, earlier] = [names(newestLevel), names(168)];
  expect(earlier).toContain("topics-mute-once");
  expect(newest).not.toContain("topics-mute-once");
  expect(newest.length).toBeGreaterThan(200);
});
