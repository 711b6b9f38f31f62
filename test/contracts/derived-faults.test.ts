import { expect, it } from "vitest";
import type { JsonReport } from "../../src/report/model/json-report.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import { createSecret } from "../../src/secrets/secret.js";
import { verifyRest } from "../../src/verify/rest/verify-rest.js";
import { loadBare } from "./bare-contract.js";
import { type MuseumFault, museumFaults } from "./museum/faults.js";
import { startMuseum } from "./museum/server.js";

/** The mistakes of the museum that its document and a curator's token show, without a rule, a state or an example. */
const shownByDocument = {
  /** By the derived workflows, and by nothing else. */
  workflows: [
    ...["create-without-location", "create-other-location", "create-other-fields", "list-ignores-room", "get-first"],
    ...["put-merges", "patch-resets", "delete-keeps", "tickets-twice"],
  ],
  /** Only by requests that the schemas forbid, by other credentials or by other values. */
  probes: ["list-any-token", "get-anonymous", "image-media-type", "tickets-without-key", "tickets-short-key"],
  /** Not at all: only a rule says what is right, or only other data shows it. */
  nothing: [
    ...["create-status", "create-for-visitors", "list-first-room", "list-ignores-ids", "list-ignores-material"],
    ...["list-ignores-made", "list-ignores-language", "list-reversed", "get-error-type", "get-error-status"],
    ...["image-as-text", "hours-ignores-cookie"],
  ],
} satisfies Record<string, MuseumFault[]>;

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
    const isMissed = [...shownByDocument.nothing, ...shownByDocument.probes].some((one) => one === fault);
    expect(isNoticed).toBe(!isMissed);
  },
);
