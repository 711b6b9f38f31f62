import { describe, expect, it } from "vitest";
import { featureChanges, featureLevels } from "../../generated/chat/feature-levels.js";
import { loadContract } from "../../src/chat/contract.js";
import { type FeatureName, supports } from "../../src/chat/supports.js";
import { listRules } from "../../src/contract/rest/rules.js";

describe("supports", () => {
  it.each<{ feature: FeatureName; level: number | undefined; want: boolean }>([
    { feature: "messages.get", level: undefined, want: true },
    { feature: "messages.get.message_ids", level: undefined, want: false },
    { feature: "messages.get.message_ids", level: 299, want: false },
    { feature: "messages.get.message_ids", level: 300, want: true },
    { feature: "subscriptions.remove.UNAUTHORIZED_PRINCIPAL", level: 207, want: true },
    { feature: "messages.edit@162", level: 161, want: false },
    { feature: "messages.edit@162", level: 162, want: true },
    { feature: "topics.mute@170", level: 169, want: false },
    { feature: "topics.mute@170", level: 170, want: true },
  ])("returns $want for $feature at level $level", ({ feature, level, want }) => {
    expect(supports(level, feature)).toBe(want);
  });

  it("has a name for every level at which a rule begins or ends", async () => {
    const present = Object.values(featureLevels).flatMap(({ added, removed }) => [added, removed]);
    const changed = featureChanges.map((name) => Number(name.split("@")[1]));
    const named = new Set<number | undefined>([...present, ...changed]);
    const ruled = listRules(await loadContract()).flatMap(({ since, until }) => [since, until]);
    expect([...new Set(ruled)].filter((level) => !named.has(level))).toEqual([]);
  });
});
