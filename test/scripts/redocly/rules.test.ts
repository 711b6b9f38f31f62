import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { chatPlugin } from "../../../scripts/redocly/plugin.js";
import { runRedocly } from "../../../src/base/run-redocly.js";
import { copySmallContract, editYaml } from "../../support/contract-copy.js";
import { rows } from "./broken-contracts.js";

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
  const plugin = join(root, "scripts/redocly/load-plugin.mjs");
  const { preprocessors } = config.apis["chat@sources"];
  const rules = { ...config.rules, ...config.apis["chat@sources"].rules };
  writeFileSync(
    join(folder, "redocly.yaml"),
    stringify({ telemetry: "off", extends: config.extends, plugins: [plugin], preprocessors, rules }),
  );
  const right = join(folder, "right");
  copySmallContract(right);
  // Contracts without provider states use those in the folder above, which the linter reads once.
  renameSync(join(right, "states.yaml"), join(folder, "states.yaml"));
  const broken = rows.map(({ file, change }, index) => {
    const copy = join(folder, `broken-${index}`);
    cpSync(right, copy, { recursive: true });
    if (!existsSync(join(copy, file))) copyFileSync(join(folder, file), join(copy, file));
    editYaml(join(copy, file), change);
    return copy;
  });
  const run = await runRedocly(
    "lint",
    ...[right, ...broken].map((copy) => join(copy, "chat.yaml")),
    "--config",
    join(folder, "redocly.yaml"),
    "--format",
    "json",
    "--max-problems",
    "1000",
  );
  // The output is several JSON documents without a separator.
  for (const report of run.stdout.split(/(?<=\})\s*(?=\{\s*"totals")/)) {
    for (const { ruleId, message, location } of JSON.parse(report).problems) {
      problems.push({ ruleId, message, file: location[0].source.ref });
    }
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the Redocly plugin", () => {
  it("accepts a valid contract", () => {
    expect(inFolder("right").filter(({ ruleId }) => ruleId.startsWith("accord/"))).toEqual([]);
  });

  it.each(rows.map((row, index) => [row.rule, row.says, index] as const))(
    "reports with %s: %s",
    (rule, says, index) => {
      const found = inFolder(`broken-${index}`).filter(({ ruleId }) => ruleId === `accord/${rule}`);
      expect(found.map(({ message }) => message)).toContainEqual(expect.stringContaining(says));
    },
  );

  it("has only rules that are enabled and tested here", () => {
    const config = parse(readFileSync(join(root, "redocly.yaml"), "utf8"));
    const { preprocessors, rules: own } = config.apis["chat@sources"];
    const on = Object.entries({ ...preprocessors, ...config.rules, ...own })
      .filter(([name, level]) => name.startsWith("accord/") && (level === "error" || level === "on"))
      .map(([name]) => name.replace("accord/", ""));
    const plugin = chatPlugin();
    expect(on.sort()).toEqual([...Object.keys(plugin.preprocessors.oas3), ...Object.keys(plugin.rules.oas3)].sort());
    expect([...new Set(rows.map(({ rule }) => rule))].sort()).toEqual(on);
  });
});
