import { expect, it } from "vitest";
import { formatPage } from "../../../scripts/faults/format-page.js";
import { completeIn, formatVerdicts, otherThan, remeasured } from "../../../scripts/faults/verdicts.js";
import type { AllFaultTables, FaultRow } from "../../../site/pages/tools/fault-tables.js";

const tables: AllFaultTables = {
  chat: {
    tools: ["ours", "theirs"],
    faults: [
      { name: "a", family: "status", summary: "returns 500", verdicts: ["reported", "silent"] },
      { name: "b", family: "leaks", summary: "leaks a | b", verdicts: ["reported", "reported"] },
      { name: "c", family: "leaks", summary: "leaks", verdicts: ["silent", "unmeasured"] },
    ],
    variations: [{ name: "v", summary: "is slow", verdicts: ["silent", "reported"] }],
  },
  daemon: {
    tools: ["ours"],
    faults: [{ name: "d", family: "calls", summary: "responds twice", verdicts: ["reported"] }],
    variations: [{ name: "w", summary: "is quick", verdicts: ["silent"] }],
  },
};

it("counts the faults that each tool caught, in total and by family", () => {
  const page = formatPage(tables);
  expect(page).toContain("| Faults caught, of 3 | 2 | 1 of 2 |");
  expect(page).toContain("| False alarms, of 1 variations | 0 | 1 |");
  expect(page).toContain("| status | 1 | 1 | 0 |");
  expect(page).toContain("| leaks | 2 | 1 | 1 of 1 |");
  expect(page).toContain("| Faults caught, of 1 | 1 |");
});

it.each([
  ["named ones", otherThan(new Set(["a", "v"])), ["b", "c"]],
  ["all", remeasured({ isOthers: false }), []],
  ["tools of others, which run on a sample", remeasured({ isOthers: true }), ["b", "c", "v"]],
])("keeps verdicts when it measures %s", (_, known, kept) => {
  const threeTools = ({ verdicts, ...row }: FaultRow) => ({ ...row, verdicts: ["reported" as const, ...verdicts] });
  const { tools, faults, variations } = tables.chat;
  const all = { tools: ["plain", ...tools], faults: faults.map(threeTools), variations: variations.map(threeTools) };
  expect([...completeIn(known(all)).keys()]).toEqual(kept);
});

it("writes the verdicts as JSON with a line for each fault and variation", () => {
  const text = formatVerdicts(tables);
  expect(JSON.parse(text)).toEqual(tables);
  expect(text.split("\n").filter((line) => line.startsWith('{"name"'))).toHaveLength(6);
});
