import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Document, parse, stringify } from "yaml";
import accordPlugin from "../../../scripts/redocly/plugin.js";
import { runRedocly } from "../../../scripts/redocly/run-redocly.js";
import { copySmallContract, editYaml } from "../../support/contract-copy.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const path = "paths/users_me_subscriptions.yaml";
const caseFile = "components/examples/unsubscribe/unknown_channel.yaml";
const form = ["delete", "requestBody", "content", "application/x-www-form-urlencoded"];
const badRequest = ["delete", "responses", "400", "content", "application/json"];
const notes = ["response", "x-case"];

interface Row {
  readonly rule: string;
  readonly file: string;
  readonly change: (document: Document) => unknown;
  readonly says: string;
}

const set = (keys: readonly (string | number)[], value: unknown) => (document: Document) =>
  document.setIn(keys, document.createNode(value));
const remove = (keys: readonly (string | number)[]) => (document: Document) => document.deleteIn(keys);

const rows: readonly Row[] = [
  {
    rule: "form-field-encoding",
    file: path,
    change: remove([...form, "encoding", "principals"]),
    says: "Field `principals` is not a plain string: write `encoding.principals.contentType: application/json`.",
  },
  {
    rule: "form-field-encoding",
    file: path,
    change: set([...form, "encoding", "subscriptions", "contentType"], "text/plain"),
    says: "`encoding.subscriptions.contentType: application/json` instead of text/plain.",
  },
  {
    rule: "form-field-encoding",
    file: path,
    change: set([...form, "encoding", "channels"], { contentType: "application/json" }),
    says: "`encoding.channels` is for no field of the form: remove it, or name one of subscriptions, principals.",
  },
  {
    rule: "operation-key-order",
    file: path,
    change: (document) => {
      document.deleteIn(["delete", "tags"]);
      document.setIn(["delete", "tags"], ["channels"]);
    },
    says: "Write `tags` before",
  },
  {
    rule: "operation-key-order",
    file: path,
    change: set(["delete", "x-fancy"], true),
    says: "`x-fancy` is no key of our operations",
  },
  {
    rule: "decides-additional-properties",
    file: "components/schemas/UnsubscribeSuccess.yaml",
    change: remove(["additionalProperties"]),
    says: "Write `additionalProperties: true`",
  },
  {
    rule: "named-schemas",
    file: "components/schemas/UnsubscribeSuccess.yaml",
    change: set(["properties", "removed", "items"], {
      type: "object",
      description: "A channel.",
      properties: { name: { type: "string", description: "Its name.", examples: ["Denmark"] } },
      additionalProperties: true,
    }),
    says: "Give this object a file in `components/schemas/`",
  },
  {
    rule: "named-schemas",
    file: "components/schemas/UnsubscribeSuccess.yaml",
    change: set(["allOf"], [{ $ref: "Success.yaml" }]),
    says: "Write the fields out instead of `allOf`",
  },
  {
    rule: "described",
    file: "components/schemas/UserId.yaml",
    change: remove(["description"]),
    says: "This schema needs a `description`.",
  },
  {
    rule: "described",
    file: "components/schemas/EmailAddress.yaml",
    change: remove(["examples"]),
    says: "This schema needs an example: write `examples: [...]`.",
  },
  {
    rule: "described",
    file: "components/schemas/UserId.yaml",
    change: set(["description"], "Optional. The id of a user."),
    says: "Leave out “Optional”",
  },
  {
    rule: "described",
    file: path,
    change: set(
      ["delete", "parameters"],
      [{ name: "q", in: "query", schema: { type: "string", description: "Q.", examples: ["q"] } }],
    ),
    says: "Parameter `q` needs a `description`.",
  },
  {
    rule: "rule-ids",
    file: path,
    change: (document) => document.addIn(["delete", "x-rules"], { id: "messages.edit.x", text: "A sentence." }),
    says: "Rule `messages.edit.x`: begin the id with `subscriptions.remove.`.",
  },
  {
    rule: "rule-ids",
    file: path,
    change: (document) => document.addIn(["delete", "x-rules"], document.getIn(["delete", "x-rules", 0])),
    says: "another rule has this id",
  },
  {
    rule: "rule-ids",
    file: path,
    change: set(["delete", "x-rules", 0, "text"], "no full stop"),
    says: "`text` must be a whole sentence",
  },
  {
    rule: "rule-ids",
    file: path,
    change: set(["delete", "x-rules", 0], { id: "subscriptions.remove.x", text: "A sentence.", since: 20, until: 10 }),
    says: "`until` must be above `since`.",
  },
  {
    rule: "feature-level",
    file: "components/schemas/IgnoredParametersUnsupported.yaml",
    change: set(["x-feature-level"], { addded: 3 }),
    says: "`addded` is no key of x-feature-level",
  },
  {
    rule: "feature-level",
    file: path,
    change: set(["delete", "x-feature-level"], { added: 20 }),
    says: "Level 9 is older than level 20 of what it is a part of.",
  },
  {
    rule: "feature-level",
    file: path,
    change: set(["delete", "x-feature-level"], { added: 3, deprecated: 2 }),
    says: "Level 2 must be above 3, at which it was added.",
  },
  {
    rule: "case-pairs",
    file: path,
    change: remove([...form, "examples", "unknown_channel"]),
    says: "Case `unknown_channel` has no request",
  },
  {
    rule: "case-pairs",
    file: path,
    change: remove([...badRequest, "examples", "unknown_channel"]),
    says: "Example `unknown_channel` has no response",
  },
  {
    rule: "case-pairs",
    file: path,
    change: set(
      [...badRequest, "examples", "unknown_channel", "$ref"],
      "../components/examples/unsubscribe/two_channels.yaml#/response",
    ),
    says: "Example `unknown_channel` must refer to `components/examples/unsubscribe/unknown_channel.yaml#/response`.",
  },
  {
    rule: "case-pairs",
    file: caseFile,
    change: remove(notes),
    says: "Example `unknown_channel` needs `x-case: {rule, given}`",
  },
  {
    rule: "case-per-error-code",
    file: path,
    change: remove([...badRequest, "examples"]),
    says: "Status 400 needs a case with code STREAM_DOES_NOT_EXIST.",
  },
  {
    rule: "case-per-error-code",
    file: path,
    change: remove(["delete", "responses", "200", "content", "application/json", "examples"]),
    says: "The operation needs a case of success.",
  },
  {
    rule: "case-known-names",
    file: caseFile,
    change: set([...notes, "rule"], "subscriptions.remove.no-such-rule"),
    says: "There is no rule `subscriptions.remove.no-such-rule`",
  },
  {
    rule: "case-known-names",
    file: caseFile,
    change: set([...notes, "given"], ["moon"]),
    says: "There is no provider state `moon`",
  },
  {
    rule: "case-known-names",
    file: caseFile,
    change: set([...notes, "given"], [{ state: "channel", params: { name: "x", colour: "red" } }]),
    says: "State `channel`: params has no parameter `colour`.",
  },
  {
    rule: "case-known-names",
    file: caseFile,
    change: set([...notes, "as"], "emperor"),
    says: "There is no caller `emperor`",
  },
  {
    rule: "case-known-names",
    file: caseFile,
    change: set([...notes, "bind"], { principals: ["credentials.emperor.user_id"] }),
    says: "`bind` names `credentials.emperor.user_id`, which no state of the case returns.",
  },
  {
    rule: "case-known-names",
    file: caseFile,
    change: set([...notes, "exact"], ["/strem"]),
    says: "`/strem` leads to nothing in the value of the example.",
  },
  {
    rule: "states-catalogue",
    file: "states.yaml",
    change: remove(["x-states", "channel", "description"]),
    says: "State `channel` needs a `description`.",
  },
];

const workflow = ["workflows", 0];
const workflowRows: readonly Omit<Row, "file">[] = [
  {
    rule: "workflows",
    change: set([...workflow, "x-rules"], ["subscriptions.remove.no-such-rule"]),
    says: "There is no rule `subscriptions.remove.no-such-rule`",
  },
  { rule: "workflows", change: remove([...workflow, "x-rules"]), says: "Workflow `given-only` needs `x-rules`" },
  {
    rule: "workflows",
    change: set([...workflow, "steps", 0, "requestBody", "payload", "state"], "moon"),
    says: "There is no provider state `moon`",
  },
  {
    rule: "workflows",
    change: set([...workflow, "steps", 0, "operationId"], "$sourceDescriptions.chat.unsubscribeAll"),
    says: "The contract has no operation `unsubscribeAll`.",
  },
];

interface Problem {
  readonly ruleId: string;
  readonly message: string;
  readonly file: string;
}

const folder = mkdtempSync(join(tmpdir(), "accord-rules-"));
const problems: Problem[] = [];
const inFolder = (name: string) => problems.filter(({ file }) => file.includes(`/${name}/`));

beforeAll(async () => {
  // All small contracts are linted in one run, since starting Redocly takes most of the time.
  const config = parse(readFileSync(join(root, "redocly.yaml"), "utf8"));
  const plugin = join(root, "scripts/redocly/plugin.ts");
  const rules = { ...config.rules, ...config.apis.chat.rules };
  writeFileSync(
    join(folder, "redocly.yaml"),
    stringify({ telemetry: "off", extends: config.extends, plugins: [plugin], rules }),
  );
  const roots: string[] = [];
  const add = (name: string, change: (copy: string) => void) => {
    const copy = join(folder, name);
    copySmallContract(copy);
    change(copy);
    return copy;
  };
  roots.push(
    join(
      add("right", () => {}),
      "chat.yaml",
    ),
  );
  for (const [index, { file, change }] of rows.entries()) {
    roots.push(
      join(
        add(`broken-${index}`, (copy) => editYaml(join(copy, file), change)),
        "chat.yaml",
      ),
    );
  }
  for (const [index, change] of [() => {}, ...workflowRows.map((row) => row.change)].entries()) {
    const copy = add(`workflow-${index}`, (made) => writeWorkflow(made, change));
    roots.push(join(copy, "behaviour/test.arazzo.yaml"));
  }
  const run = await runRedocly(
    "lint",
    ...roots,
    "--config",
    join(folder, "redocly.yaml"),
    "--format",
    "json",
    "--max-problems",
    "1000",
  );
  // One JSON document follows the other, without anything between them.
  for (const report of run.stdout.split(/(?<=\})\s*(?=\{\s*"totals")/)) {
    for (const { ruleId, message, location } of JSON.parse(report).problems) {
      problems.push({ ruleId, message, file: location[0].source.ref });
    }
  }
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

function writeWorkflow(copy: string, change: Row["change"]): void {
  const steps = [
    {
      stepId: "given",
      operationId: "$sourceDescriptions.states.changeState",
      requestBody: {
        contentType: "application/json",
        payload: {
          state: "channel",
          params: { name: "Denmark", organization: "$steps.x.outputs.organization" },
          action: "setup",
        },
      },
      successCriteria: [{ condition: "$statusCode == 200" }],
    },
  ];
  const document = new Document({
    arazzo: "1.0.1",
    info: { title: "Test", version: "1.0.0" },
    sourceDescriptions: ["chat", "states"].map((name) => ({ name, type: "openapi", url: `../${name}.yaml` })),
    workflows: [
      { workflowId: "given-only", summary: "Sets a channel up", "x-rules": ["subscriptions.remove.removed"], steps },
    ],
  });
  change(document);
  mkdirSync(join(copy, "behaviour"));
  writeFileSync(join(copy, "behaviour/test.arazzo.yaml"), document.toString());
}

describe("the house rules of the contract", () => {
  it("find nothing in a contract that is right", () => {
    expect(
      inFolder("right")
        .concat(inFolder("workflow-0"))
        .filter(({ ruleId }) => ruleId.startsWith("accord/")),
    ).toEqual([]);
  });

  it.each(rows.map((row, index) => [row.rule, row.says, index] as const))("%s: %s", (rule, says, index) => {
    const found = inFolder(`broken-${index}`).filter(({ ruleId }) => ruleId === `accord/${rule}`);
    expect(found.map(({ message }) => message)).toContainEqual(expect.stringContaining(says));
  });

  it.each(workflowRows.map((row, index) => [row.rule, row.says, index + 1] as const))("%s: %s", (rule, says, index) => {
    const found = inFolder(`workflow-${index}`).filter(({ ruleId }) => ruleId === `accord/${rule}`);
    expect(found.map(({ message }) => message)).toContainEqual(expect.stringContaining(says));
  });

  it("are all switched on, and all tested here", () => {
    const config = parse(readFileSync(join(root, "redocly.yaml"), "utf8"));
    const on = Object.entries({ ...config.rules, ...config.apis.chat.rules })
      .filter(([name, level]) => name.startsWith("accord/") && level === "error")
      .map(([name]) => name.replace("accord/", ""));
    const { rules } = accordPlugin();
    expect(on.sort()).toEqual([...Object.keys(rules.oas3), ...Object.keys(rules.arazzo1)].sort());
    expect([...new Set([...rows, ...workflowRows].map(({ rule }) => rule))].sort()).toEqual(on);
  });
});
