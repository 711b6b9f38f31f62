import { beforeAll, describe, expect, it } from "vitest";
import type { RestContract } from "../../src/contract/rest/rest-contract.js";
import type { JsonReport } from "../../src/report/model/json-report.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import { createSecret } from "../../src/secrets/secret.js";
import { verifyRest } from "../../src/verify/rest/verify-rest.js";
import { sampleOf } from "../support/thorough.js";
import { type ParcelFault, parcelFaults } from "./parcels/faults.js";
import { parcelKey, startParcels } from "./parcels/server.js";
import { blamed, loadExample } from "./verify-contract.js";

/** The mistakes that go unnoticed on a server that has no provider states, because what writes is not sent with an account. */
const unnoticedWithoutStates: readonly ParcelFault[] = [
  "register-json",
  "register-status",
  "register-one-service",
  "register-weightless",
  "cancel-other-text",
];

let parcels: RestContract;
beforeAll(async () => {
  parcels = await loadExample("parcels");
});

/** Verifies the service, with its account alone or with its state. Its store is one, so that checks run one after the other. */
async function verify(by: "account" | "state", only: readonly string[] = [], fault?: ParcelFault): Promise<JsonReport> {
  const { url, statesUrl, close } = await startParcels(fault);
  try {
    const accounts = { caller: { secret: createSecret(parcelKey) } };
    const source = by === "state" ? { statesUrl, jobs: 1 } : { accounts, degree: "undone" as const };
    return toJsonReport(await verifyRest(parcels, { url, ...source, seed: 1, only }));
  } finally {
    await close();
  }
}

const faults = sampleOf(Object.entries(parcelFaults), 4).map(
  ([fault, { does, blames }]) => [does, blames, fault as ParcelFault] as const,
);

describe("the parcel service, with a state that resets it", () => {
  it("keeps every rule if its server makes no mistake", async () => {
    const { checks, rules } = await verify("state");
    expect(checks.filter(({ verdict }) => verdict !== "passed")).toEqual([]);
    expect(rules.filter(({ state }) => state !== "kept")).toEqual([]);
  });

  it.each(faults)("is caught if its server %s: %s", async (_, blames, fault) => {
    expect(blamed(await verify("state", [blames], fault))).toContain(blames);
  });
});

describe("the parcel service, with an account alone", () => {
  it("breaks no rule if its server makes no mistake", async () => {
    const { checks, rules } = await verify("account");
    expect(checks.filter(({ verdict }) => verdict !== "passed" && verdict !== "skipped")).toEqual([]);
    expect(rules.filter(({ state }) => state !== "kept" && state !== "not-exercised")).toEqual([]);
  });

  it.each(faults)("is caught if its server %s, unless it only shows in a write: %s", async (_, blames, fault) => {
    expect(blamed(await verify("account", [blames], fault)).includes(blames)).toBe(
      !unnoticedWithoutStates.includes(fault),
    );
  });
});
