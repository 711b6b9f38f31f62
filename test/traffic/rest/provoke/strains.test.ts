import { describe, expect, it, onTestFinished } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { responseValidators } from "../../../../generated/chat/validators.js";
import { loadCases, loadContract } from "../../../../src/chat/contract.js";
import { proxyChat } from "../../../../src/chat/traffic.js";
import { compareWithContract } from "../../../../src/judge/compare-with-contract.js";
import { operationsAtLevel } from "../../../../src/traffic/rest/exchange/operations-at-level.js";
import { createStrainer } from "../../../../src/traffic/rest/provoke/create-strainer.js";
import {
  applyStrain,
  exactInteger,
  parseExactly,
  type StrainName,
  strains,
  writeExactly,
} from "../../../../src/traffic/rest/provoke/strains.js";
import { startServer } from "../../forward/start-forwarder.js";

const contract = await loadContract();
const cases = (await loadCases()).filter(({ response }) => response.body !== undefined);

describe("applyStrain", () => {
  it.each(Object.keys(strains) as StrainName[])("changes responses by %s only as a conforming server may", (name) => {
    const changed = cases.flatMap(({ operationId, name: of, response: { status, body } }) => {
      const mayBeText = (field: string) => field === "anchor";
      const value = parseExactly(JSON.stringify(body)) as object;
      const context = { contract, validators: responseValidators, operationId, status, olderLevel: 5, mayBeText };
      const text = applyStrain(name, value, context);
      if (text === undefined) return [];
      const problems = compareWithContract(
        contract,
        operationId,
        { status, contentType: "application/json", headers: { has: () => true, get: () => null }, text },
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

describe("createStrainer", () => {
  const settings = cases.find(({ operationId }) => operationId === "getServerSettings")?.response.body ?? {};
  const operations = operationsAtLevel(contract, contract, newestLevel);
  const operation = operations.operations.get("getServerSettings");

  /** The levels that the settings state in a run, and how they were changed. */
  function levelsOf(seed: number) {
    const strainer = createStrainer(operations, responseValidators, { seed });
    return Array.from({ length: 40 }, (_, index) => {
      const target = `/api/v1/server_settings?${index}`;
      if (operation === undefined) throw new Error("the contract has no server settings");
      const { answer, change, provoked } = strainer.intercept("GET", target, operation);
      if (answer !== undefined) return { level: undefined, isRefused: true, provoked: provoked() };
      const text = change?.(200, JSON.stringify({ ...settings, service_feature_level: newestLevel })) ?? "{}";
      return { level: JSON.parse(text).service_feature_level, isRefused: false, provoked: provoked() };
    });
  }

  it("states one level in a run, and changes the settings in other ways as well", () => {
    const runs = Array.from({ length: 8 }, (_, seed) => levelsOf(seed).filter(({ isRefused }) => !isRefused));
    for (const run of runs) {
      expect(new Set(run.map(({ level }) => level)).size).toBe(1);
      expect(run[0]?.level ?? 0).toBeLessThan(newestLevel);
      const strained = new Set(run.flatMap(({ provoked }) => provoked));
      expect([...strained]).toEqual(expect.arrayContaining(["missing-fields", "unknown-fields", "slow-answers"]));
    }
    // Some runs state an older level, others none.
    expect(new Set(runs.map(([first]) => first?.level === undefined))).toEqual(new Set([true, false]));
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

describe("a strained response that is too large to change", () => {
  it.each([
    ["many small objects", JSON.stringify({ result: "success", msg: "", messages: Array(20_000).fill({}) })],
    [
      "many keys",
      JSON.stringify({
        result: "success",
        msg: "",
        ...Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, at])),
      }),
    ],
    ["a long text", JSON.stringify({ result: "success", msg: "x".repeat(300_000) })],
    ["deep nesting", `{"result":"success","msg":"","x":${"[".repeat(9_000)}${"]".repeat(9_000)}}`],
    ["more than is kept", JSON.stringify({ result: "success", msg: "x".repeat(9_000_000) })],
  ])("passes unchanged and is counted: %s", async (_, text) => {
    const { url } = await startServer((_request, response) => {
      response.writeHead(200, { "Content-Type": "application/json" }).end(text);
    });
    const proxy = await proxyChat({ url: `${url}/api/v1`, level: 415, strain: { seed: 3, slowMs: 1 } });
    onTestFinished(proxy.close);
    let passed = 0;
    for (let call = 0; call < 6; call++) {
      const response = await fetch(`${proxy.apiUrl}/messages?anchor=${call}`);
      const body = await response.text();
      if (response.status === 429) continue;
      expect(body === text).toBe(true);
      passed++;
    }
    const { coverage } = await proxy.report();

    expect(passed).toBeGreaterThan(3);
    expect(coverage?.notJudged.find(({ reason }) => reason.startsWith("strain:"))?.count).toBeGreaterThan(0);
  });
});
