import { describe, expect, it } from "vitest";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { createClientJudge } from "../../../../src/verify/chat/clients/create-client-judge.js";
import { exchanges } from "./exchanges.js";
import { plantedMistakes } from "./planted-mistakes.js";

const contract = await loadContract();

describe("createClientJudge", () => {
  it.each(plantedMistakes)("names $rule for $name", ({ rule, calls, level = 415 }) => {
    const judge = createClientJudge(contract, { level });
    const findings = exchanges(calls).flatMap((exchange) => judge.observe(exchange));
    expect([...new Set(findings.map((finding) => finding.rule))]).toEqual([rule]);
    const broken = judge.finish().filter(({ state }) => state === "broken" || state === "deviating");
    expect(broken.map((result) => result.rule.id)).toEqual([rule]);
  });
});
