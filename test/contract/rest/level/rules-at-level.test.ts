import { describe, expect, it } from "vitest";
import { loadContract } from "../../../../src/chat/contract.js";
import { atFeatureLevel } from "../../../../src/contract/rest/level/at-feature-level.js";
import { rulesAtLevel } from "../../../../src/contract/rest/level/rules-at-level.js";

const newest = await loadContract();

describe("rulesAtLevel", () => {
  it.each([
    { id: "reminders.create.note", level: 415, strength: "should" },
    { id: "reminders.create.note", level: 416, strength: "must" },
    { id: "reminders.create.created", level: 381, strength: "should" },
    { id: "reminders.create.created", level: 382, strength: "must" },
    { id: "messages.get.narrow", level: 0, strength: "must" },
  ])("says that a server of level $level $strength keep $id", ({ id, level, strength }) => {
    const rule = rulesAtLevel(atFeatureLevel(newest, level), level).find((one) => one.id === id);
    expect(rule?.strength ?? "must").toBe(strength);
  });
});
