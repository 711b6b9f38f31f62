import { describe, expect, it } from "vitest";
import { operations } from "../../../../generated/chat/operations.js";
import { faults } from "../../../../scripts/faults/chat/faults.js";
import { listChecks, planRounds } from "../../../../scripts/faults/chat/plan-rounds.js";
import { variations } from "../../../../scripts/faults/chat/variations.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { listRules } from "../../../../src/contract/chat/rules.js";
import { createSelection } from "../../../../src/verify/create-selection.js";

const rules = new Set(listRules(await loadContract()).map(({ id }) => id));
const checks = await listChecks();

describe("the faults", () => {
  it("are many, of every operation, and named each by itself", () => {
    expect(faults.length).toBeGreaterThanOrEqual(60);
    expect(variations.length).toBeGreaterThanOrEqual(12);
    expect(new Set([...faults, ...variations].map(({ name }) => name)).size).toBe(faults.length + variations.length);
    const touched = new Set(faults.flatMap(({ behaviour: { on } }) => (on === "all" ? [] : on)));
    expect(Object.keys(operations).filter((id) => !touched.has(id as keyof typeof operations))).toEqual([]);
  });

  it("break rules and operations that there are", () => {
    const unknown = faults.flatMap(({ breaks }) =>
      breaks.filter((id) => !rules.has(id) && !Object.hasOwn(operations, id)),
    );
    expect(unknown).toEqual([]);
  });

  it("break a rule, an operation, or a point of the requirements if no check notices them", () => {
    const unnamed = faults.filter(({ breaks, missed, point }) => (missed ? point === undefined : breaks.length === 0));
    expect(unnamed.map(({ name }) => name)).toEqual([]);
  });

  it("are looked at by checks that there are, except at the level that one announces", () => {
    const unseen = faults.filter(({ looksAt }) => !checks.some(createSelection({ only: looksAt })));
    expect(unseen.map(({ name }) => name)).toEqual(["much-older-level-told"]);
  });
});

describe("rounds", () => {
  const rounds = planRounds(faults, checks);

  it("have every fault once", () => {
    expect(
      rounds
        .flat()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(faults.map(({ name }) => name).sort());
  });

  it("have no fault that changes what the checks of another one call", () => {
    for (const round of rounds) {
      for (const { name, behaviour, looksAt } of round) {
        const others = round.filter((other) => other.name !== name).flatMap((other) => other.behaviour.on);
        const called = new Set(checks.filter(createSelection({ only: looksAt })).flatMap(({ calls }) => calls));
        expect(others.filter((operation) => operation === "all" || called.has(operation))).toEqual([]);
        if (behaviour.on === "all") expect(others).toEqual([]);
      }
    }
  });
});
