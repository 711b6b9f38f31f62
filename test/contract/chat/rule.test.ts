import { describe, expect, it } from "vitest";
import { holdsAt } from "../../../src/contract/chat/rule.js";

describe("holdsAt", () => {
  it.each([
    [{}, 0, true],
    [{ since: 300 }, 299, false],
    [{ since: 300 }, 300, true],
    [{ until: 300 }, 299, true],
    [{ until: 300 }, 300, false],
  ])("judges %j at level %i", (levels, level, wanted) => {
    expect(holdsAt(levels, level)).toBe(wanted);
  });
});
