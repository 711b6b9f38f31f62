import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Document, parse, stringify } from "yaml";
import accordPlugin from "../../../scripts/redocly/plugin.js";
import { runRedocly } from "../../../scripts/redocly/run-redocly.js";
import { copySmallContract, editYaml } from "../../support/contract-copy.js";
import { type Row, rows, workflowRows } from "./broken-contracts.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
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
