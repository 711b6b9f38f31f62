import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isActive, matchesFilter } from "../../../site/components/faults/filter-faults.js";
import type { AllFaultTables } from "../../../site/pages/tools/fault-tables.js";
import { writeFaultsPage } from "../../../site/pages/tools/faults-page.js";

const text = readFileSync(new URL("../../../docs/faults.md", import.meta.url), "utf8");
const tables: AllFaultTables = JSON.parse(
  readFileSync(new URL("../../../scripts/faults/verdicts.json", import.meta.url), "utf8"),
);
const nothing = { text: "", family: "", caughtBy: "", missedBy: "" };
const row = { text: "returns null", family: "Schema", reported: ["accord verify"], silent: ["plain Dredd"] };

describe("matchesFilter", () => {
  it.each([
    [{}, true],
    [{ text: " NULL returns" }, true],
    [{ text: "nil" }, false],
    [{ family: "Status" }, false],
    [{ caughtBy: "accord verify", missedBy: "plain Dredd" }, true],
    [{ caughtBy: "plain Dredd" }, false],
    [{ missedBy: "Respect" }, false],
  ])("judges %j", (part, wanted) => {
    const filter = { ...nothing, ...part };
    expect([matchesFilter(row, filter), isActive(filter)]).toEqual([wanted, Object.keys(part).length > 0]);
  });
});

describe("the map of faults", () => {
  it("has every fault of the guide, with the same counts", () => {
    const { chat, daemon } = tables;
    const [, ofChat] = /\| Faults caught, of (\d+) \| (\d+) \|/.exec(text) ?? [];
    expect(chat.faults).toHaveLength(Number(ofChat));
    const caught = chat.faults.filter(({ verdicts }) => verdicts[0] === "reported").length;
    expect(text).toContain(`| Faults caught, of ${chat.faults.length} | ${caught} |`);
    expect(text).toContain(`| Faults caught, of ${daemon.faults.length} |`);
    const page = writeFaultsPage(text, tables);
    for (const { name } of [...chat.faults, ...chat.variations, ...daemon.faults, ...daemon.variations]) {
      expect(page).toContain(`-fault-${name}"`);
    }
    expect(page.match(/<tr id="(chat|daemon)-fault-/g)).toHaveLength(
      chat.faults.length + chat.variations.length + daemon.faults.length + daemon.variations.length,
    );
  });
});
