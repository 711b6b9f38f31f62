import type { CheckOutcome } from "../../check.js";
import { type Attempt, attemptProbe, type ProbedServer } from "./attempt-probe.js";
import type { Probe } from "./probe.js";
import type { ProbeOrganizations } from "./probe-organizations.js";

/**
 * Sends a probe and says what came of it. One that fails is sent again, to an organization of its own, and is a failure only when it
 * fails there too: what another probe did must not count against it. That excuses no response that the contract does not have at all.
 * Where success is expected, the request must succeed without the change. Without `organizations` the probe must need none. Rejects as `attemptProbe` does, and with a `StateSetupError`.
 */
export async function runProbe(
  probe: Probe,
  server: ProbedServer,
  organizations: ProbeOrganizations | undefined,
): Promise<CheckOutcome> {
  const attempt = async (isFirst: boolean, one = probe): Promise<Attempt> => {
    if (organizations === undefined || !one.states) return attemptProbe(one, server, {});
    const own = await (isFirst ? organizations.shared() : organizations.fresh());
    const values = one.change.kind === "foreign" ? { own, foreign: await organizations.foreign() } : { own };
    const result = await attemptProbe(one, server, values);
    if (result.mayHaveChanged) organizations.spoil();
    return result;
  };
  const first = await attempt(true);
  if (first.problems.length === 0) return { kind: "passed" };
  if (first.isForbidden) return failure(first);
  const again = await attempt(false);
  if (again.problems.length === 0) return { kind: "passed" };
  if (probe.expectation.kind === "succeeds" || probe.expectation.kind === "ignored") {
    const unchanged = await attempt(false, { ...probe, change: { kind: "none" }, expectation: { kind: "succeeds" } });
    if (!unchanged.succeeded) {
      const reason = `the request of the case ${probe.operationId}/${probe.base.name}, which it changes, does not succeed itself`;
      return { kind: "skipped", reason };
    }
  }
  return failure(again);
}

async function failure({ problems, letThrough, trace }: Attempt): Promise<CheckOutcome> {
  return { kind: "failed", problems, ...(letThrough ? { letThrough } : {}), trace: await trace() };
}
