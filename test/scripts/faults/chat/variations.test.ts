import { afterEach, describe, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import type { Behaviour } from "../../../../scripts/faults/chat/behaviour.js";
import { outcomeIn } from "../../../../scripts/faults/chat/outcome.js";
import type { Variation } from "../../../../scripts/faults/chat/variation.js";
import { deviations } from "../../../../scripts/faults/chat/variations/deviations.js";
import { allDeviations, allTogether, variations } from "../../../../scripts/faults/chat/variations.js";
import { type VerifyOptions, verifyBehaviour } from "../../../../scripts/faults/chat/verify-behaviour.js";

let reference: ChatReference | undefined;
afterEach(() => reference?.close());

/** Changes nothing. */
const transparent: Behaviour = { on: "all", start: () => (request, forward) => forward(request) };

async function verify({ behaviour = transparent, options, prepare }: Variation, how: VerifyOptions) {
  reference = await createChatReference({ states: true, validateResponses: true, ...options });
  prepare?.(reference);
  return verifyBehaviour(behaviour, reference, how);
}

const judged = variations.filter(({ misjudged }) => !misjudged);
const misjudged = variations.filter((variation) => variation.misjudged);

describe("accord verify", () => {
  // Cases and workflows, which need further processes, run for all variations together.
  it.each(judged.map((variation) => [`${variation.summary} (${variation.name})`, variation] as const))(
    "reports nothing about a server that %s",
    async (_, variation) => {
      const only = [
        "probe unsubscribe",
        "probe getMessages/message_ids",
        "probe editMessage/topic",
        "probe getUserStatus",
      ];
      const checks = await verify(variation, { only });
      expect(checks.length).toBeGreaterThan(50);
      expect(outcomeIn(checks)).toMatchObject({ failed: [], errored: [] });
    },
  );

  it("reports nothing about a server with all variations at once", { timeout: 240_000 }, async () => {
    const checks = await verify(allTogether(), { jobs: 3 });
    expect(checks.length).toBeGreaterThan(1000);
    expect(outcomeIn(checks)).toMatchObject({ failed: [], errored: [] });
  });
});

describe("accord verify of a server that follows none of these recommendations", () => {
  // Every check whose operation a deviation changes, except random requests.
  const only = [
    ...[
      "case",
      "workflow reading",
      "workflow edit-history",
      "workflow moving",
      "workflow editing",
      "workflow linkifiers",
    ],
    ...["workflow reminder", "workflow scheduled", "workflow uploads", "workflow user-groups", "workflow conventions"],
    ...["workflow authentication", "workflow topic", "probe getUserStatus"],
    ...["workflow users", "workflow muting", "workflow subscriptions", "workflow default", "workflow push"],
  ];

  it("reports only deviations, each of its recommendation", { timeout: 240_000 }, async () => {
    reference = await createChatReference({ states: true });
    const checks = await verifyBehaviour(allDeviations(), reference, { jobs: 3, only });
    const { failed, errored, broken } = outcomeIn(checks);
    expect({ failed, errored }).toEqual({ failed: [], errored: [] });
    const expected = deviations.flatMap(({ deviatesFrom }) => deviatesFrom);
    expect(expected.filter((rule) => !broken.has(rule))).toEqual([]);
  });
});

describe.skipIf(misjudged.length === 0)("accord verify of a server with a misjudged variation", () => {
  it.each(misjudged.map((variation) => [`${variation.summary} (${variation.name})`, variation] as const))(
    "still reports a server that %s",
    async (_, variation) => {
      const checks = await verify(variation, { only: variation.checkedBy ?? [] });
      expect(outcomeIn(checks).failed).not.toEqual([]);
    },
  );
});
