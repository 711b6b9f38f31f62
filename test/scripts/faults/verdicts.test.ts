import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { faults } from "../../../scripts/faults/chat/faults.js";
import { ownDeviations, variations } from "../../../scripts/faults/chat/variations.js";
import { daemonFaults } from "../../../scripts/faults/daemon/faults.js";
import { daemonVariations } from "../../../scripts/faults/daemon/variations.js";
import type { Fault } from "../../../scripts/faults/fault.js";
import { formatPage } from "../../../scripts/faults/format-page.js";
import { formatVerdicts, tableOf, verdictsIn } from "../../../scripts/faults/verdicts.js";
import type { AllFaultTables, FaultTables } from "../../../site/pages/tools/fault-tables.js";

const text = await readFile(new URL("../../../scripts/faults/verdicts.json", import.meta.url), "utf8");
const tables: AllFaultTables = JSON.parse(text);

function reported({ tools, ...table }: FaultTables, tool: string): string[] {
  const index = tools.indexOf(tool);
  return [...verdictsIn({ tools, ...table })].flatMap(([name, verdicts]) =>
    verdicts[index] === "reported" ? name : [],
  );
}

describe("scripts/faults/verdicts.json, which `npm run faults` writes", () => {
  it("has the verdicts of each tool on every fault and variation", () => {
    const chat = tableOf(tables.chat.tools, faults, [...variations, ...ownDeviations], verdictsIn(tables.chat));
    const daemon = tableOf(tables.daemon.tools, daemonFaults, daemonVariations, verdictsIn(tables.daemon));
    expect(tables).toEqual({ chat, daemon });
    expect(text).toBe(formatVerdicts(tables));
    for (const { tools, ...table } of [chat, daemon])
      for (const verdicts of verdictsIn({ tools, ...table }).values()) expect(verdicts).toHaveLength(tools.length);
  });

  it.each<[string, FaultTables, readonly Fault<unknown>[]]>([
    ["chat servers", tables.chat, faults],
    ["daemons", tables.daemon, daemonFaults],
  ])("agrees with the tests of `accord verify` about %s", (_, table, all) => {
    const caught = all.filter(({ missed }) => missed === undefined).map(({ name }) => name);
    expect(reported(table, "accord verify --strict")).toEqual(expect.arrayContaining(caught));
    expect(reported(table, "accord verify").filter((name) => !caught.includes(name))).toEqual([]);
  });
});

it("docs/faults.md has the totals of these verdicts", async () => {
  expect(await readFile(new URL("../../../docs/faults.md", import.meta.url), "utf8")).toBe(formatPage(tables));
});
