import { describe, expect, it } from "vitest";
import { operations } from "../../../../generated/chat/operations.js";
import { derivedFaults } from "../../../../scripts/faults/chat/derived.js";
import { faults as written } from "../../../../scripts/faults/chat/faults.js";
import { listChecks, planRounds } from "../../../../scripts/faults/chat/plan-rounds.js";
import { variations } from "../../../../scripts/faults/chat/variations.js";
import { loadContract } from "../../../../src/chat/contract.js";
import { listRules } from "../../../../src/contract/rest/rules.js";
import { createNameFilter } from "../../../../src/verify/create-selection.js";

const rules = new Set(listRules(await loadContract()).map(({ id }) => id));
const checks = await listChecks();
const faults = [...written, ...(await derivedFaults())];

describe("the list of faults", () => {
  it("covers every operation and has unique names", () => {
    expect(new Set([...faults, ...variations].map(({ name }) => name)).size).toBe(faults.length + variations.length);
    const touched = new Set(faults.flatMap(({ behaviour: { on } }) => (on === "all" ? [] : on)));
    expect(Object.keys(operations).filter((id) => !touched.has(id as keyof typeof operations))).toEqual([]);
  });

  it("names only existing rules and operations", () => {
    const unknown = faults.flatMap(({ breaks }) =>
      breaks.filter((id) => !rules.has(id) && !Object.hasOwn(operations, id)),
    );
    expect(unknown).toEqual([]);
  });

  it("names the rules or operations that a fault breaks", () => {
    const unnamed = faults.filter(({ breaks }) => breaks.length === 0);
    expect(unnamed.map(({ name }) => name)).toEqual([]);
  });

  it("names only existing checks, except for the fault that announces a much older level", () => {
    const unseen = faults.filter(({ checkedBy }) => !checks.some(createNameFilter(checkedBy)));
    expect(unseen.map(({ name }) => name)).toEqual(["much-older-level-reported"]);
  });
});

describe("planRounds", () => {
  const rounds = planRounds(written, checks);

  it("puts every fault into exactly one round", () => {
    expect(
      rounds
        .flat()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(written.map(({ name }) => name).sort());
  });

  it("never combines two faults if a check of the first calls an operation that the second changes", () => {
    for (const round of rounds) {
      for (const { name, behaviour, checkedBy } of round) {
        const others = round.filter((other) => other.name !== name).flatMap((other) => other.behaviour.on);
        const called = new Set(checks.filter(createNameFilter(checkedBy)).flatMap(({ reaches }) => reaches));
        expect(others.filter((operation) => operation === "all" || called.has(operation))).toEqual([]);
        if (behaviour.on === "all") expect(others).toEqual([]);
      }
    }
  });
});
