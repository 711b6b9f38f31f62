import { beforeAll, describe, expect, it } from "vitest";
import type { RestContract } from "../../src/contract/rest/rest-contract.js";
import type { JsonReport } from "../../src/verify/model/json-report.js";
import { toJsonReport } from "../../src/verify/model/to-json-report.js";
import { verifyRest } from "../../src/verify/rest/verify-rest.js";
import { type MuseumFault, museumFaults } from "./museum/faults.js";
import { startMuseum } from "./museum/server.js";
import { blamed, loadExample } from "./verify-contract.js";

let museum: RestContract;
beforeAll(async () => {
  museum = await loadExample("museum");
});

async function verify(fault?: MuseumFault): Promise<JsonReport> {
  const { url, statesUrl, close } = await startMuseum(fault);
  try {
    return toJsonReport(await verifyRest(museum, { url, statesUrl, seed: 1 }));
  } finally {
    await close();
  }
}

describe("the museum", () => {
  it("keeps every rule if its server makes no mistake", async () => {
    const { checks, rules } = await verify();
    expect(checks.filter(({ verdict }) => verdict !== "passed")).toEqual([]);
    expect(rules.filter(({ state }) => state !== "kept")).toEqual([]);
  });

  it.each(
    Object.entries(museumFaults).map(([fault, { does, blames }]) => [does, blames, fault as MuseumFault] as const),
  )("is caught if its server %s: %s", async (_, blames, fault) => {
    expect(blamed(await verify(fault))).toContain(blames);
  });
});
