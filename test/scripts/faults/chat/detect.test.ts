import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { derivedFaults } from "../../../../scripts/faults/chat/derived.js";
import { detectFaults } from "../../../../scripts/faults/chat/detect-faults.js";
import type { ChatFault } from "../../../../scripts/faults/chat/fault.js";
import { faults } from "../../../../scripts/faults/chat/faults.js";
import { type Outcome, outcomeOf } from "../../../../scripts/faults/chat/outcome.js";
import type { CheckResult } from "../../../../src/report/model/check-result.js";
import { sampleOf } from "../../../support/thorough.js";

const noticed = [...sampleOf(faults, 6), ...sampleOf(await derivedFaults(), 12)];

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
