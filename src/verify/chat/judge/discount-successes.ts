import type { Case } from "../../../contract/chat/cases.js";
import type { Check as PlannedCheck, Step } from "../../../contract/check.js";
import type { Check } from "../../check.js";
import { groupBy } from "../../report/group-by.js";
import { shownRules } from "../../report/judge-rules.js";
import type { CheckSources } from "../contract-at-level.js";
import type { Probe } from "../probes/probe.js";
import { isOutsider } from "../states/callers.js";

/** A request that a server must refuse, and whether it was accepted. */
interface Refusal {
  readonly operationId: string;
  readonly isOutsider: boolean;
  readonly letThrough: boolean;
}

/**
 * Ignores the successes of operations that accept any caller or any request, because they show nothing: removes the shown rules of the
 * checks that rely on them. Such an operation accepted an unknown caller, or all of several requests of cases that it must refuse. Its
 * refusals, and the successes of other operations, still show their rules.
 */
export function discountSuccesses(checks: readonly Check[], { cases, checks: planned, probes }: CheckSources): Check[] {
  const caseOf = new Map(cases.map((one) => [`case ${one.operationId}/${one.name}`, one]));
  const probeOf = new Map(probes.map((probe) => [probe.id, probe]));
  const plannedOf = new Map(planned.map((one) => [one.id, one]));
  const refusals = checks.flatMap((check) => refusalOf(check, caseOf.get(check.id), probeOf.get(check.id)) ?? []);
  const open = new Set(
    [...groupBy(refusals, ({ operationId }) => operationId)].flatMap(([id, group]) => (isOpenToAll(group) ? id : [])),
  );
  return checks.map((check) => {
    const { outcome } = check;
    if (shownRules(check).length === 0) return check;
    const [first] = successesOf(check, caseOf.get(check.id), probeOf.get(check.id), plannedOf.get(check.id)).filter(
      (id) => open.has(id),
    );
    if (first === undefined) return check;
    const reason = `${first} accepts requests that it must refuse, so its success shows nothing`;
    return { ...check, outcome: { ...outcome, shown: [], ...(outcome.kind === "passed" ? { reason } : {}) } };
  });
}

function refusalOf({ outcome }: Check, testCase: Case | undefined, probe: Probe | undefined): Refusal | undefined {
  if (outcome.kind === "skipped" || outcome.kind === "errored") return undefined;
  const letThrough = outcome.kind === "failed" && outcome.letThrough === true;
  if (testCase !== undefined && (testCase.response.status >= 400 || testCase.open !== undefined)) {
    return { operationId: testCase.operationId, isOutsider: isOutsider(testCase.as), letThrough };
  }
  const isUnknown = probe?.change.kind === "wrong-key" || probe?.id.endsWith("/unknown-user") === true;
  return isUnknown && probe.expectation.kind !== "any"
    ? { operationId: probe.operationId, isOutsider: true, letThrough }
    : undefined;
}

/** A single accepted request may be a slip; accepting an unknown caller is not. */
function isOpenToAll(refusals: readonly Refusal[]): boolean {
  if (refusals.some((one) => one.isOutsider && one.letThrough)) return true;
  const others = refusals.filter((one) => !one.isOutsider);
  return others.length > 1 && others.every(({ letThrough }) => letThrough);
}

/** Lists the operations whose success a check relies on. */
function successesOf(
  { kind }: Check,
  testCase: Case | undefined,
  probe: Probe | undefined,
  planned: PlannedCheck | undefined,
): string[] {
  switch (kind) {
    case "case":
      return testCase !== undefined && testCase.response.status < 300 ? [testCase.operationId] : [];
    case "probe":
      return probe?.expectation.kind === "succeeds" ? [probe.operationId] : [];
    case "workflow":
      return (planned?.steps ?? []).flatMap(callsOf);
    case "request":
    case "response":
      return [];
  }
}

function callsOf(step: Step): string[] {
  if (step.kind === "parallel") return step.steps.flatMap(callsOf);
  return step.kind === "call" && step.call !== undefined ? [step.call] : [];
}
