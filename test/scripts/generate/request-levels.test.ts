import { expect, it } from "vitest";
import { loadContract } from "../../../src/chat/contract.js";
import { levelsOfChange } from "../../../src/contract/rest/features.js";
import { atFeatureLevel } from "../../../src/contract/rest/level/at-feature-level.js";

it("lists the levels of deprecations and removals among those at which the contract changes", async () => {
  const contract = await loadContract();
  const [deprecation, removal] = [170, 208];
  for (const level of [deprecation, removal]) {
    expect(atFeatureLevel(contract, level), `level ${level}`).not.toEqual(atFeatureLevel(contract, level - 1));
    expect(levelsOfChange(contract)).toContain(level);
  }
});
