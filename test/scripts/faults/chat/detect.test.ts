import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { byCheck } from "../../../../scripts/faults/chat/by-check.js";
import { combine } from "../../../../scripts/faults/chat/combine.js";
import type { Fault } from "../../../../scripts/faults/chat/fault.js";
import { faults } from "../../../../scripts/faults/chat/faults.js";
import { type Outcome, outcomeIn, outcomeOf } from "../../../../scripts/faults/chat/outcome.js";
import { listChecks, planRoundsByKind, planSharedRounds } from "../../../../scripts/faults/chat/plan-rounds.js";
import { stack } from "../../../../scripts/faults/chat/stack.js";
import { verifyBehaviour } from "../../../../scripts/faults/chat/verify-behaviour.js";
import type { Check } from "../../../../src/verify/check.js";
import { runAll } from "../../../../src/verify/run-all.js";
import { sampleOf } from "../../../support/thorough.js";

/** The number of concurrent rounds, each of which starts processes. */
const concurrency = 3;

const noticed = sampleOf(
  faults.filter((fault) => !fault.missed),
  4,
);
const missed = faults.filter((fault) => fault.missed);

let reference: ChatReference;
/** The checks of all rounds of a fault. */
const seen = new Map<Fault, readonly Check[]>();

beforeAll(async () => {
  reference = await createChatReference({ states: true, validateResponses: true });
  const all = await listChecks();
  await runAll(planSharedRounds(noticed, all), concurrency, async (round) => {
    const only = round.flatMap(({ checks }) => checks);
    const behaviour = byCheck(round.map(({ fault, checks }) => ({ checks, behaviour: fault.behaviour })));
    const results = await verifyBehaviour(behaviour, reference, { only });
    for (const { fault, checks } of round) {
      const own = results.filter(({ id }) => checks.includes(id));
      if (isNoticed(fault, outcomeIn(own))) seen.set(fault, own);
    }
  });
  // A fault that needs another check beside it, or requests without credentials, is verified with others that cannot disturb it.
  const rest = noticed.filter((fault) => !seen.has(fault));
  await runAll(planRoundsByKind(rest, all), concurrency, async (round) => {
    const behaviour = combine(round.faults.map((fault) => fault.behaviour));
    const checks = await verifyBehaviour(behaviour, reference, { only: round.only });
    for (const fault of round.faults) seen.set(fault, [...(seen.get(fault) ?? []), ...checks]);
  });
});
afterAll(() => reference.close());

function isNoticed(fault: Fault, { failed, deviated, broken, errored }: Outcome): boolean {
  return errored.length === 0 && failed.length + deviated.length > 0 && fault.breaks.some((rule) => broken.has(rule));
}

function outcomeFor(fault: Fault): Outcome {
  const checks = seen.get(fault);
  if (checks === undefined) throw new Error(`${fault.name} was not verified`);
  return outcomeOf(fault, checks);
}

function titled(all: readonly Fault[]): (readonly [title: string, fault: Fault])[] {
  return all.map((fault) => [`${fault.summary} (${fault.name})`, fault]);
}

describe("accord verify", () => {
  it.each(titled(noticed))("reports a server that %s", (_, fault) => {
    const { failed, deviated, broken, errored } = outcomeFor(fault);
    expect(errored).toEqual([]);
    expect([...failed, ...deviated]).not.toEqual([]);
    expect([...broken]).toEqual(expect.arrayContaining([expect.toBeOneOf([...fault.breaks])]));
  });
});

// Without any missed fault, this would verify the reference server alone.
describe.skipIf(missed.length === 0)("accord verify of a server with every missed fault", () => {
  it("reports none of them", async () => {
    const only = [...new Set(missed.flatMap(({ checkedBy }) => checkedBy))];
    const all = stack(missed.map(({ behaviour }) => behaviour));
    const { failed, deviated, errored } = outcomeIn(await verifyBehaviour(all, reference, { only, jobs: concurrency }));
    // Together, faults may show what none of them shows alone.
    const suspected = [...failed, ...deviated, ...errored.map((text) => text.replace(/: .*/s, ""))];
    const found: string[] = [];
    for (const { name, behaviour } of suspected.length === 0 ? [] : missed) {
      const alone = outcomeIn(await verifyBehaviour(behaviour, reference, { only: suspected }));
      const noticing = [...alone.failed, ...alone.deviated];
      if (noticing.length > 0) found.push(`${name} is noticed by ${noticing.join(", ")}: remove its mark`);
    }
    expect(found).toEqual([]);
  });
});
