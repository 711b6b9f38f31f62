import { beforeAll, describe, expect, it } from "vitest";
import type { RestContract } from "../../src/contract/rest/rest-contract.js";
import { createSecret } from "../../src/secrets/secret.js";
import type { JsonReport } from "../../src/verify/model/json-report.js";
import { toJsonReport } from "../../src/verify/model/to-json-report.js";
import { verifyRest } from "../../src/verify/rest/verify-rest.js";
import { type ParcelFault, parcelFaults } from "./parcels/faults.js";
import { parcelKey, startParcels } from "./parcels/server.js";
import { blamed, loadExample } from "./verify-contract.js";

/** The mistakes that go unnoticed, and why. Whoever closes a gap removes them here. */
const unnoticed: Partial<Record<ParcelFault, string>> = {
  "register-json": "without provider states, no case writes",
  "register-status": "without provider states, no case writes",
  "register-one-service": "without provider states, no case writes",
  "cancel-other-text": "without provider states, no case writes",
  "status-quoted": "only JSON is compared with a schema",
  "rate-one-digit": "only JSON is compared with a schema",
};

let parcels: RestContract;
beforeAll(async () => {
  parcels = await loadExample("parcels");
});

async function verify(fault?: ParcelFault): Promise<JsonReport> {
  const { url, close } = await startParcels(fault);
  try {
    const accounts = { caller: { secret: createSecret(parcelKey) } };
    return toJsonReport(await verifyRest(parcels, { url, accounts, allowWrites: true, seed: 1 }));
  } finally {
    await close();
  }
}

describe("the parcel service", () => {
  it("breaks no rule if its server makes no mistake", async () => {
    const { checks, rules } = await verify();
    expect(checks.filter(({ verdict }) => verdict !== "passed" && verdict !== "skipped")).toEqual([]);
    expect(rules.filter(({ state }) => state !== "kept" && state !== "not-exercised")).toEqual([]);
  });

  it.each(
    Object.entries(parcelFaults).map(([fault, { does, blames }]) => [does, blames, fault as ParcelFault] as const),
  )("is caught if its server %s, unless that is a known gap: %s", async (_, blames, fault) => {
    expect(blamed(await verify(fault)).includes(blames)).toBe(unnoticed[fault] === undefined);
  });
});
