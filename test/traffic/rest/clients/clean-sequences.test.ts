import { describe, expect, it } from "vitest";
import { loadContract } from "../../../../src/chat/contract.js";
import { listCases } from "../../../../src/contract/rest/cases.js";
import { createClientJudge } from "../../../../src/traffic/rest/clients/create-client-judge.js";
import { cleanSequences } from "./clean-sequences.js";
import { type Call, exchanges } from "./exchanges.js";

const contract = await loadContract();

describe("createClientJudge", () => {
  it.each(cleanSequences)("finds nothing wrong with a client that $name", ({ calls, keeps, level = 415 }) => {
    const judge = createClientJudge(contract, level);
    expect(exchanges(calls).flatMap((exchange) => judge.observe(exchange))).toEqual([]);
    const kept = judge.checks().filter(({ outcome }) => outcome.kind === "passed");
    expect(kept.flatMap(({ rules }) => rules)).toEqual(expect.arrayContaining([...keeps]));
  });

  it("finds no broken must in the request of any case that succeeds", () => {
    const settings: Call = ["getServerSettings", {}, { answer: { service_feature_level: 415 } }];
    const cases = listCases(contract).filter(({ response }) => response.status === 200);
    const broken = cases.flatMap(({ operationId, name, request, response }) => {
      const judge = createClientJudge(contract, 415);
      const call = [
        operationId,
        { ...request.path, ...request.query, ...request.body },
        { answer: response.body, headers: request.header },
      ] as unknown as Call;
      const findings = exchanges([settings, call]).flatMap((exchange) => judge.observe(exchange));
      return findings
        .filter(({ strength }) => strength === "must")
        .map(({ rule }) => `${operationId} ${name}: ${rule}`);
    });
    expect(cases.length).toBeGreaterThan(200);
    expect(broken).toEqual([]);
  });
});
