import { describe, expect, it } from "vitest";
import { chatContract, loadContract } from "../../../src/chat/contract.js";
import { listClientRules } from "../../../src/contract/rest/client-rules.js";
import { brokenRules } from "../../../src/report/model/check-result.js";
import { createTrafficJudge } from "../../../src/traffic/judge/create-traffic-judge.js";
import { atLevel, createRestTraffic } from "../../../src/traffic/rest/rest-traffic.js";
import { cleanSequences } from "./clients/clean-sequences.js";
import { type Call, exchanges } from "./clients/exchanges.js";
import { plantedMistakes } from "./clients/planted-mistakes.js";

const chat = await chatContract();

const rules = new Set(listClientRules(await loadContract()).map(({ id }) => id));
const atNewestLevel = ({ level }: { readonly level?: number }) => level === undefined;

/** The rules about clients that recorded traffic breaks. */
async function brokenBy(calls: readonly Call[]): Promise<string[]> {
  const judge = createTrafficJudge(createRestTraffic(chat, atLevel(chat, 415), "http://127.0.0.1:4011/api/v1"));
  const broken = new Set<string>();
  for (const { recorded } of exchanges(calls)) {
    for (const check of await judge.observe(recorded)) for (const id of brokenRules(check)) broken.add(id);
  }
  return [...broken].filter((id) => rules.has(id));
}

describe("createTrafficJudge", () => {
  it.each(plantedMistakes.filter(atNewestLevel))("names $rule for $name", async ({ rule, calls }) => {
    expect(await brokenBy(calls)).toEqual([rule]);
  });

  it.each(cleanSequences.filter(atNewestLevel))("finds nothing wrong with a client that $name", async ({ calls }) => {
    expect(await brokenBy(calls)).toEqual([]);
  });
});
