import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { loadContract } from "../../../src/chat/contract.js";
import { atFeatureLevel } from "../../../src/contract/rest/level/at-feature-level.js";
import { compileValidators } from "../../../src/judge/validators.js";
import { chatProbes } from "../../support/chat-probes.js";
import { propertyRuns, propertySeed } from "../../support/property-seed.js";
import { serversOfLevels } from "../../support/servers-of-levels.js";
import { sampleOf } from "../../support/thorough.js";
import { runProbes } from "./run-probes.js";

const contract = await loadContract();
// The verification of the reference server runs those of the newest level.
const levels = sampleOf([300, 205, newestLevel], 3);
const serverOf = serversOfLevels(...levels);
const firstSeed = propertySeed;
const furtherSeeds = sampleOf([propertySeed + 1, propertySeed + 2], 2);

describe.each(levels)("probes of the reference server at level %i", (level) => {
  const view = atFeatureLevel(contract, level);

  it("all run and all pass", async () => {
    const { url, statesUrl } = serverOf(level);
    const validators = compileValidators(view);
    const checks = await runProbes({ url, statesUrl, contract: view, validators, seed: firstSeed, runs: 20 });
    expect(checks.filter(({ outcome }) => outcome.kind !== "passed")).toEqual([]);
    const planned = await chatProbes(view);
    expect(checks.map(({ id }) => id).sort()).toEqual(planned.map(({ id }) => id).sort());
  });

  it.each(furtherSeeds)("pass with random requests of seed %i", async (seed) => {
    const { url, statesUrl } = serverOf(level);
    const validators = compileValidators(view);
    const isSelected = ({ id }: { readonly id: string }) => id.includes("/random-");
    const runs = propertyRuns(20);
    const checks = await runProbes({ url, statesUrl, contract: view, validators, seed, runs, isSelected });
    expect(checks.length).toBeGreaterThan(30);
    expect(checks.filter(({ outcome }) => outcome.kind !== "passed")).toEqual([]);
  });
});
