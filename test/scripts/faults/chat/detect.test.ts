import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { combine } from "../../../../scripts/faults/chat/combine.js";
import type { Fault } from "../../../../scripts/faults/chat/fault.js";
import { faults } from "../../../../scripts/faults/chat/faults.js";
import { type Outcome, outcomeIn, outcomeOf } from "../../../../scripts/faults/chat/outcome.js";
import { listChecks, planRoundsByKind } from "../../../../scripts/faults/chat/plan-rounds.js";
import { stack } from "../../../../scripts/faults/chat/stack.js";
import { verifyBehaviour } from "../../../../scripts/faults/chat/verify-behaviour.js";
import type { Check } from "../../../../src/verify/check.js";
import { runAll } from "../../../../src/verify/run-all.js";

/** The number of concurrent rounds, each of which starts processes. */
const concurrency = 3;

const noticed = faults.filter((fault) => !fault.missed);
const missed = faults.filter((fault) => fault.missed);

let reference: ChatReference;
/** The checks of all rounds of a fault. */
const seen = new Map<Fault, readonly Check[]>();

beforeAll(async () => {
  reference = await createChatReference({ states: true, validateResponses: true });
  const rounds = planRoundsByKind(noticed, await listChecks());
  await runAll(rounds, concurrency, async (round) => {
    const behaviour = combine(round.faults.map((fault) => fault.behaviour));
    const checks = await verifyBehaviour(behaviour, reference, { only: round.only });
    for (const fault of round.faults) seen.set(fault, [...(seen.get(fault) ?? []), ...checks]);
  });
}, 600_000);
afterAll(() => reference.close());

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
  it("reports none of them", { timeout: 600_000 }, async () => {
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
