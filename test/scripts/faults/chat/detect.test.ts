import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { combine } from "../../../../scripts/faults/chat/combine.js";
import type { Fault } from "../../../../scripts/faults/chat/fault.js";
import { faults } from "../../../../scripts/faults/chat/faults.js";
import { type Outcome, outcomeOf } from "../../../../scripts/faults/chat/outcome.js";
import { listChecks, planRounds } from "../../../../scripts/faults/chat/plan-rounds.js";
import { verifyBehaviour } from "../../../../scripts/faults/chat/verify-behaviour.js";
import { runAll } from "../../../../src/verify/run-all.js";

/** The number of concurrent rounds, each of which starts processes. */
const concurrency = 3;

let reference: ChatReference;
const outcomes = new Map<Fault, Outcome>();

beforeAll(async () => {
  reference = await createChatReference({ states: true, validateResponses: true });
  const rounds = planRounds(faults, await listChecks());
  await runAll(rounds, concurrency, async (round) => {
    const only = round.flatMap(({ checkedBy }) => checkedBy);
    const checks = await verifyBehaviour(combine(round.map(({ behaviour }) => behaviour)), reference, { only });
    for (const fault of round) outcomes.set(fault, outcomeOf(fault, checks));
  });
}, 600_000);
afterAll(() => reference.close());

function outcomeFor(fault: Fault): Outcome {
  const outcome = outcomes.get(fault);
  if (outcome === undefined) throw new Error(`${fault.name} was not verified`);
  return outcome;
}

function titled(all: readonly Fault[]): (readonly [title: string, fault: Fault])[] {
  return all.map((fault) => [`${fault.summary} (${fault.name})`, fault]);
}

describe("accord verify", () => {
  it.each(titled(faults))("reports a server that %s", (_, fault) => {
    const { failed, broken, errored } = outcomeFor(fault);
    expect(errored).toEqual([]);
    expect(failed).not.toEqual([]);
    expect([...broken]).toEqual(expect.arrayContaining([expect.toBeOneOf([...fault.breaks])]));
  });
});
