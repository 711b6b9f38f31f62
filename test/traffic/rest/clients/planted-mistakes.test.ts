import { describe, expect, it } from "vitest";
import { loadContract } from "../../../../src/chat/contract.js";
import { listClientRules } from "../../../../src/contract/rest/client-rules.js";
import { createClientJudge } from "../../../../src/traffic/rest/clients/create-client-judge.js";
import { cleanSequences } from "./clean-sequences.js";
import { exchanges } from "./exchanges.js";
import { plantedMistakes } from "./planted-mistakes.js";

const contract = await loadContract();
const observable = listClientRules(contract).flatMap(({ id, seen }) => (seen === undefined ? [] : id));

describe("the rules that traffic shows", () => {
  it("each have a planted mistake", () => {
    const planted = plantedMistakes.map(({ rule }) => rule);
    expect(observable.filter((id) => !planted.includes(id))).toEqual([]);
  });

  it("each have a client that could have broken them and did not", () => {
    const kept = cleanSequences.flatMap(({ keeps }) => keeps);
    expect(observable.filter((id) => !kept.includes(id))).toEqual([]);
  });
});

describe("createClientJudge", () => {
  it.each(plantedMistakes)("names $rule for $name", ({ rule, calls, level = 415 }) => {
    const judge = createClientJudge(contract, level);
    const findings = exchanges(calls).flatMap((exchange) => judge.observe(exchange));
    expect([...new Set(findings.map((finding) => finding.rule))]).toEqual([rule]);
    expect(judge.checks().flatMap(({ rules }) => rules)).not.toContain(rule);
  });
});
