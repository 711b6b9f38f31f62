import { expect, it } from "vitest";
import type { JsonReport } from "../../src/report/model/json-report.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import { createSecret } from "../../src/secrets/secret.js";
import { verifyRest } from "../../src/verify/rest/verify-rest.js";
import { loadBare } from "./bare-contract.js";
import { type MuseumFault, museumFaults } from "./museum/faults.js";
import { startMuseum } from "./museum/server.js";

/**
 * The mistakes of the museum that the workflows from its document and a curator's token do not show: they take requests that the schemas
 * forbid, other credentials or other values, or only a rule says what is right.
 */
const notShown: readonly MuseumFault[] = [
  "list-any-token",
  "get-anonymous",
  "tickets-without-key",
  "tickets-short-key",
  "create-status",
  "create-for-visitors",
  "list-first-room",
  "list-ignores-ids",
  "list-ignores-material",
  "list-ignores-made",
  "list-ignores-language",
  "list-reversed",
  "get-error-type",
  "get-error-status",
  "image-as-text",
  "hours-ignores-cookie",
];

async function verify(fault: MuseumFault | undefined): Promise<JsonReport> {
  const { url, statesUrl, close } = await startMuseum(fault);
  try {
    const made = await fetch(statesUrl, { method: "POST", body: JSON.stringify({ state: "museum" }) });
    const { credentials } = (await made.json()) as { credentials: { curator: { access_token: string } } };
    const accounts = { caller: { secret: createSecret(credentials.curator.access_token) } };
    const museum = await loadBare("museum", true);
    const report = await verifyRest(museum, { url, accounts, degree: "everything", seed: 1, only: ["workflow "] });
    return toJsonReport(report);
  } finally {
    await close();
  }
}

it("blames no museum that makes no mistake", async () => {
  const { checks, rules } = await verify(undefined);
  expect(rules.filter(({ state }) => state === "broken" || state === "deviating")).toEqual([]);
  expect(checks.filter(({ verdict }) => verdict === "passed").length).toBeGreaterThan(10);
});

it.each(Object.keys(museumFaults) as MuseumFault[])(
  "notices in the museum's answers what its document tells: %s",
  async (fault) => {
    const { rules, operations = [] } = await verify(fault);
    const isNoticed =
      rules.some(({ state }) => state === "broken" || state === "deviating") ||
      operations.some(({ presence }) => presence === "not-implemented");
    expect(isNoticed).toBe(!notShown.includes(fault));
  },
);
