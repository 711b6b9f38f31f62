import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { detectFaults } from "../../../../scripts/faults/chat/detect-faults.js";
import type { ChatFault } from "../../../../scripts/faults/chat/fault.js";
import { faults } from "../../../../scripts/faults/chat/faults.js";
import { type Outcome, outcomeIn, outcomeOf } from "../../../../scripts/faults/chat/outcome.js";
import { stack } from "../../../../scripts/faults/chat/stack.js";
import { verifyBehaviour } from "../../../../scripts/faults/chat/verify-behaviour.js";
import type { CheckResult } from "../../../../src/report/model/check-result.js";
import { sampleOf } from "../../../support/thorough.js";

const noticed = sampleOf(
  faults.filter((fault) => !fault.missed),
  4,
);
const missed = faults.filter((fault) => fault.missed);

let reference: ChatReference;
/** The checks of each fault. */
let seen: ReadonlyMap<ChatFault, readonly CheckResult[]>;

beforeAll(async () => {
  reference = await createChatReference({ states: true, validateResponses: true });
  seen = await detectFaults(noticed, reference);
});
afterAll(() => reference.close());

function outcomeFor(fault: ChatFault): Outcome {
  const checks = seen.get(fault);
  if (checks === undefined) throw new Error(`${fault.name} was not verified`);
  return outcomeOf(fault, checks);
}

function titled(all: readonly ChatFault[]): (readonly [title: string, fault: ChatFault])[] {
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
    const { failed, deviated, errored } = outcomeIn(await verifyBehaviour(all, reference, { only, jobs: 3 }));
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
