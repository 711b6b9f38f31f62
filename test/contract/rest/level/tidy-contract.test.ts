import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import spectralCore, { type RulesetDefinition } from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { runRedocly } from "../../../../src/base/run-redocly.js";
import { loadContract } from "../../../../src/chat/contract.js";
import { atFeatureLevel } from "../../../../src/contract/rest/level/at-feature-level.js";
import { tidyContract } from "../../../../src/contract/rest/level/tidy-contract.js";
import { generatorsProfile } from "../../../../src/contract/rest/profiles/generators-profile.js";
import { sampleOf } from "../../../support/thorough.js";

const { oas } = spectralRulesets;
const spectralRuleset = {
  extends: [[oas, "recommended"]],
  rules: {
    // This path is from a later release of the rules, which is not used because it has an install script. The path of the installed
    // release fails on documents that contain `null`.
    "duplicated-entry-in-enum": {
      ...oas.rules["duplicated-entry-in-enum"],
      given: "$..[?(@property !== 'properties' && @ != null && @.enum && @.enum.constructor.name === 'Array')]",
    },
  },
};

const contract = await loadContract();
const atLevel = (level: number) => tidyContract(atFeatureLevel(contract, level));
const documents = {
  ...Object.fromEntries([0, 1, 150, 250, 300, 415].map((level) => [`level ${level}`, atLevel(level)])),
  "level 0 for generators": generatorsProfile(atLevel(0)),
  "the newest level for generators": generatorsProfile(contract),
};

describe("the printed contract", () => {
  it("passes the rules `recommended-strict` of Redocly at every level", async () => {
    const folder = mkdtempSync(join(tmpdir(), "accord-levels-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const files = Object.entries(documents).map(([name, document]) => {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(document));
      return file;
    });
    const { ok, stdout, stderr } = await runRedocly("lint", ...files, "--extends", "recommended-strict");
    expect(ok, `${stderr}${stdout}`).toBe(true);
  });

  const spectral = new spectralCore.Spectral();
  beforeAll(() => spectral.setRuleset(spectralRuleset as unknown as RulesetDefinition));

  it.each(sampleOf(Object.entries(documents), 2))("passes the rules `oas` of Spectral: %s", async (_, document) => {
    const findings = await spectral.run({ ...document });
    expect(findings.map(({ code, path, message }) => `${code} ${path.join("/")} ${message}`)).toEqual([]);
  });
});
