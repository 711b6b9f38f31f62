import { describe, expect, it } from "vitest";
import { createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import type { Behaviour } from "../../../../scripts/faults/chat/behaviour.js";
import type { ChatVariation } from "../../../../scripts/faults/chat/fault.js";
import { outcomeIn } from "../../../../scripts/faults/chat/outcome.js";
import { listChecks } from "../../../../scripts/faults/chat/plan-rounds.js";
import { deviations } from "../../../../scripts/faults/chat/variations/deviations.js";
import { allDeviations, together, variations } from "../../../../scripts/faults/chat/variations.js";
import { type VerifyOptions, verifyBehaviour } from "../../../../scripts/faults/chat/verify-behaviour.js";
import { createNameFilter } from "../../../../src/verify/create-selection.js";
import { isThorough, sampleOf } from "../../../support/thorough.js";

/** Changes nothing. */
const transparent: Behaviour = { on: "all", start: () => (request, forward) => forward(request) };

async function verify({ behaviour = transparent, options, prepare }: ChatVariation, how: VerifyOptions) {
  const reference = await createChatReference({ states: true, validateResponses: true, ...options });
  try {
    prepare?.(reference);
    return await verifyBehaviour(behaviour, reference, how);
  } finally {
    await reference.close();
  }
}

/** Together, similar variations may hide each other. They are neighbours in the list, so they are in different groups. */
const groupCount = 6;
const groups = Array.from({ length: groupCount }, (_, group) =>
  variations.filter((_, at) => at % groupCount === group),
);

/** Verifies variations together. Returns the problems, with the name of each variation that causes some of them alone. */
async function problemsOf(some: readonly ChatVariation[], minChecks: number, how: VerifyOptions): Promise<unknown> {
  const checks = await verify(together(some), how);
  expect(checks.length).toBeGreaterThan(minChecks);
  const { failed, errored } = outcomeIn(checks);
  if (failed.length + errored.length === 0) return {};
  const causes: string[] = [];
  const only = [...failed, ...errored.map((text) => text.replace(/: .*/s, ""))];
  for (const variation of some) {
    const alone = outcomeIn(await verify(variation, { only }));
    if (alone.failed.length + alone.errored.length > 0) causes.push(`${variation.summary} (${variation.name})`);
  }
  return { failed, errored, causes };
}

describe("accord verify", () => {
  it.each(sampleOf(groups, 3).map((group) => [group.map(({ name }) => name).join(", "), group] as const))(
    "reports nothing about a server with %s",
    async (_, group) => {
      const only = [
        "probe unsubscribe",
        "probe getMessages/message_ids",
        "probe editMessage/topic",
        "probe getUserStatus",
      ];
      expect(await problemsOf(group, 50, { only })).toEqual({});
    },
  );

  it("reports no deviation of a server with bounds other than those of the reference server", async () => {
    const variation = variations.find(({ name }) => name === "other-bounds");
    const only = ["conventions", "reading", "editing", "linkifiers", "profile-fields", "reminder", "users-update"].map(
      (name) => `workflow ${name}`,
    );
    const { failed, deviated, errored } = outcomeIn(await verify(variation as ChatVariation, { only }));
    expect({ failed, deviated, errored }).toEqual({ failed: [], deviated: [], errored: [] });
  });

  it("reports nothing about a server with all variations at once", async () => {
    const shard = isThorough ? {} : { shard: { index: 1, of: 5 } };
    expect(await problemsOf(variations, 300, { jobs: 3, ...shard })).toEqual({});
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
    "workflow server-settings",
  ];

  const expected = deviations.flatMap(({ breaks }) => breaks);

  /**
   * All of these checks in thorough runs; otherwise a part of them, and those that show an expected deviation, because
   * others rely on them.
   */
  async function part(names: readonly string[]): Promise<readonly string[]> {
    const chosen = (await listChecks()).filter(createNameFilter(names));
    const showing = chosen.filter(({ rules }) => rules.some((rule) => expected.includes(rule)));
    return [...new Set([...showing, ...sampleOf(chosen, 6)])].map(({ id }) => id);
  }

  it("reports only deviations, each from its own recommendation", async () => {
    const server = { name: "deviations", summary: "follows none of them", behaviour: allDeviations() };
    const checks = await verify(server, { jobs: 3, only: await part(only) });
    const { failed, errored, broken } = outcomeIn(checks);
    expect({ failed, errored }).toEqual({ failed: [], errored: [] });
    expect(expected.filter((rule) => !broken.has(rule))).toEqual([]);
  });
});
