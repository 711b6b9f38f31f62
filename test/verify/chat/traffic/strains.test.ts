import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { responseValidators } from "../../../../generated/chat/validators.js";
import { loadCases } from "../../../../src/contract/chat/cases.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { compareWithContract } from "../../../../src/verify/chat/judge/compare-with-contract.js";
import { exactInteger, parseExactly, writeExactly } from "../../../../src/verify/chat/traffic/provoke/exact-json.js";
import { applyStrain, type StrainName, strains } from "../../../../src/verify/chat/traffic/provoke/strains.js";

const contract = await loadContract();
const cases = (await loadCases()).filter(({ response }) => response.body !== undefined);

describe("applyStrain", () => {
  it.each(Object.keys(strains) as StrainName[])("changes responses by %s only as a conforming server may", (name) => {
    const changed = cases.flatMap(({ operationId, name: of, response: { status, body } }) => {
      const isAnchor = (field: string) => field === "anchor";
      const value = parseExactly(JSON.stringify(body)) as object;
      const context = { contract, validators: responseValidators, operationId, status, olderLevel: 5, isAnchor };
      const text = applyStrain(name, value, context);
      if (text === undefined) return [];
      const problems = compareWithContract(
        contract,
        operationId,
        { status, contentType: "application/json", headers: { has: () => true }, text },
        responseValidators,
      );
      return [{ of, isChanged: text !== JSON.stringify(body), problems }];
    });
    const isOfTransport = name === "rate-limit" || name === "slow-answers";

    expect(changed.filter(({ isChanged, problems }) => !isChanged || problems.length > 0)).toEqual([]);
    expect(changed.length > 0).toBe(!isOfTransport);
    expect(newestLevel).toBeGreaterThan(5);
  });
});

describe("parseExactly and writeExactly", () => {
  it.each([
    '{"anchor":10000000000000001,"text":"id 10000000000000001, \\"x\\": 10000000000000003"}',
    "[-12345678901234567890,0.12345678901234567,1.5e30,9007199254740993]",
    '{"a":"\\\\","b":10000000000000001}',
  ])("keep the digits of %s", (text) => {
    const written = writeExactly(parseExactly(text));
    expect(BigInt(/\d{16,}/.exec(written)?.[0] ?? 0)).toBe(BigInt(/\d{16,}/.exec(text)?.[0] ?? 1));
    expect(JSON.parse(written)).toEqual(JSON.parse(text));
  });

  it("write integers that no double holds", () => {
    expect(writeExactly({ id: exactInteger("10000000000000001") })).toBe('{"id":10000000000000001}');
  });
});
