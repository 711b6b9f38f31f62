import { expect, it } from "vitest";
import type { RestContract } from "../../src/contract/rest/rest-contract.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import { createSecret } from "../../src/secrets/secret.js";
import { verifyRest } from "../../src/verify/rest/verify-rest.js";
import { sampleOf } from "../support/thorough.js";
import { loadBare } from "./bare-contract.js";
import { type MuseumFault, museumFaults } from "./museum/faults.js";
import { startMuseum } from "./museum/server.js";
import { type ParcelFault, parcelFaults } from "./parcels/faults.js";
import { parcelKey, startParcels } from "./parcels/server.js";

/** The mistakes that a document and an account do not show: they take other credentials or data, or only a rule says what is right. */
const notShown: readonly string[] = [
  ...(["create-for-visitors", "list-first-room", "list-ignores-ids", "list-ignores-material"] satisfies MuseumFault[]),
  ...(["list-ignores-made", "list-ignores-language", "list-reversed", "get-error-type"] satisfies MuseumFault[]),
  ...(["get-error-status", "image-as-text", "hours-ignores-cookie"] satisfies MuseumFault[]),
  ...(["label-as-text", "label-any-key"] satisfies ParcelFault[]),
];

/** A running server, and a key of an account on it. */
interface Running {
  readonly url: string;
  readonly key: string;
  readonly close: () => Promise<void>;
}

async function museum(fault?: string): Promise<Running> {
  const { url, statesUrl, close } = await startMuseum(fault as MuseumFault | undefined);
  const made = await fetch(statesUrl, { method: "POST", body: JSON.stringify({ state: "museum" }) });
  const { credentials } = (await made.json()) as { credentials: { curator: { access_token: string } } };
  return { url, key: credentials.curator.access_token, close };
}

async function parcels(fault?: string): Promise<Running> {
  return { ...(await startParcels(fault as ParcelFault | undefined)), key: parcelKey };
}

const servers = [
  ["museum", museum, Object.keys(museumFaults)],
  ["parcels", parcels, Object.keys(parcelFaults)],
] as const;
const contracts = new Map<string, Promise<RestContract>>();

/** What a run with an account and `--disposable` finds, without a rule, a state or an example. */
async function findings(name: string, { url, key, close }: Running): Promise<string[]> {
  const contract = contracts.get(name) ?? loadBare(name, true);
  contracts.set(name, contract);
  try {
    const accounts = { caller: { secret: createSecret(key) } };
    const run = await verifyRest(await contract, { url, accounts, degree: "everything", seed: 1 });
    const { rules, operations = [] } = toJsonReport(run);
    const missing = operations.filter(({ presence }) => presence === "not-implemented");
    const broken = rules.filter(({ state }) => state === "broken" || state === "deviating");
    return [...broken, ...missing].map(({ id }) => id);
  } finally {
    await close();
  }
}

it.each(servers)("blames nothing of a server that makes no mistake: %s", async (name, start) => {
  expect(await findings(name, await start())).toEqual([]);
});

it.each(servers.flatMap(([name, start, faults]) => sampleOf(faults, 4).map((fault) => [name, fault, start] as const)))(
  "notices in the responses what the document tells: %s, %s",
  async (name, fault, start) => {
    expect((await findings(name, await start(fault))).length > 0).toBe(!notShown.includes(fault));
  },
);

it("notices at least half of the mistakes", () => {
  const all = servers.flatMap(([, , faults]) => faults);
  expect(notShown.filter((fault) => all.includes(fault)).length).toBeLessThanOrEqual(all.length / 2);
});
