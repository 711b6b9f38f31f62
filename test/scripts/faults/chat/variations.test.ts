import { afterEach, describe, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import type { Behaviour } from "../../../../scripts/faults/chat/behaviour.js";
import { outcomeIn } from "../../../../scripts/faults/chat/outcome.js";
import type { Variation } from "../../../../scripts/faults/chat/variation.js";
import { allTogether, variations } from "../../../../scripts/faults/chat/variations.js";
import { type VerifyForOptions, verifyFor } from "../../../../scripts/faults/chat/verify-for.js";

let reference: ChatReference | undefined;
afterEach(() => reference?.close());

/** A server that changes nothing. */
const transparent: Behaviour = { on: "all", start: () => (request, forward) => forward(request) };

async function verify({ behaviour = transparent, options, prepare }: Variation, how: VerifyForOptions) {
  reference = await createChatReference({ states: true, validateResponses: true, ...options });
  prepare?.(reference);
  return verifyFor(behaviour, reference, how);
}

describe("nothing is reported of a server that", () => {
  // The cases and workflows are in the run of all together: they need processes of their own.
  it.each(variations.filter(({ misjudged }) => !misjudged))("$summary ($name)", async (variation) => {
    const only = [
      "probe unsubscribe",
      "probe getMessages/message_ids",
      "probe editMessage/topic",
      "probe getUserStatus",
    ];
    const checks = await verify(variation, { only });
    expect(checks.length).toBeGreaterThan(50);
    expect(outcomeIn(checks)).toEqual({ failed: [], broken: new Set(), errored: [] });
  });

  it("does all of this", { timeout: 240_000 }, async () => {
    const checks = await verify(allTogether(), { jobs: 3 });
    expect(checks.length).toBeGreaterThan(1000);
    expect(outcomeIn(checks)).toEqual({ failed: [], broken: new Set(), errored: [] });
  });
});

describe("something is still reported of a server that", () => {
  it.each(variations.filter(({ misjudged }) => misjudged))("$summary ($name)", async (variation) => {
    const checks = await verify(variation, { only: variation.looksAt ?? [] });
    expect(outcomeIn(checks).failed).not.toEqual([]);
  });
});
