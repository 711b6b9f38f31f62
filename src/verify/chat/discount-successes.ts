import type { Case } from "../../contract/chat/cases.js";
import type { ReadWorkflow } from "../../contract/chat/workflows.js";
import type { Check } from "../check.js";
import { groupBy } from "../report/group-by.js";
import { isOutsider } from "./needs-states.js";
import type { Probe } from "./probes/probe.js";
import { chatOperation } from "./workflows/list-workflows.js";

/** What the checks of a run are made from. */
export interface CheckSources {
  readonly cases: readonly Case[];
  readonly workflows: readonly ReadWorkflow[];
  readonly probes: readonly Probe[];
}

/** A request that has to be refused, and whether it was let through. */
interface Refusal {
  readonly operationId: string;
  readonly isOutsider: boolean;
  readonly letThrough: boolean;
}

/**
 * Takes from checks that passed the rules that a success does not show: those of operations that succeed whoever calls, or whatever is
 * asked. An operation does when it lets a caller through whom nobody knows, or every request of a case that it has to refuse, if there
 * are several. What it refuses, and what other operations do, counts as before.
 */
export function discountSuccesses(checks: readonly Check[], { cases, workflows, probes }: CheckSources): Check[] {
  const caseOf = new Map(cases.map((one) => [`case ${one.operationId}/${one.name}`, one]));
  const probeOf = new Map(probes.map((probe) => [probe.id, probe]));
  const workflowOf = new Map(workflows.map((one) => [`workflow ${one.workflowId}`, one]));
  const refusals = checks.flatMap((check) => refusalOf(check, caseOf.get(check.id), probeOf.get(check.id)) ?? []);
  const open = new Set(
    [...groupBy(refusals, ({ operationId }) => operationId)].flatMap(([id, of]) => (isOpenToAll(of) ? id : [])),
  );
  return checks.map((check) => {
    if (check.outcome.kind !== "passed" || check.rules.length === 0) return check;
    const [first] = successesOf(check, caseOf.get(check.id), probeOf.get(check.id), workflowOf.get(check.id)).filter(
      (id) => open.has(id),
    );
    if (first === undefined) return check;
    const reason = `${first} lets requests through that it has to refuse, so its success shows nothing`;
    return { ...check, outcome: { kind: "passed", shown: [], reason } };
  });
}

function refusalOf({ outcome }: Check, one: Case | undefined, probe: Probe | undefined): Refusal | undefined {
  if (outcome.kind !== "passed" && outcome.kind !== "failed") return undefined;
  const letThrough = outcome.kind === "failed" && outcome.letThrough === true;
  if (one !== undefined && (one.response.status >= 400 || one.open !== undefined)) {
    return { operationId: one.operationId, isOutsider: isOutsider(one.as), letThrough };
  }
  const isUnknown = probe?.change.kind === "wrong-key" || probe?.id.endsWith("/unknown-user") === true;
  return isUnknown && probe.expectation.kind !== "any"
    ? { operationId: probe.operationId, isOutsider: true, letThrough }
    : undefined;
}

/** One wrong acceptance may be a slip; a caller whom nobody knows is none. */
function isOpenToAll(refusals: readonly Refusal[]): boolean {
  if (refusals.some((one) => one.isOutsider && one.letThrough)) return true;
  const others = refusals.filter((one) => !one.isOutsider);
  return others.length > 1 && others.every(({ letThrough }) => letThrough);
}

/** The operations whose success a check that passed relies on. */
function successesOf(
  { kind }: Check,
  one: Case | undefined,
  probe: Probe | undefined,
  workflow: ReadWorkflow | undefined,
): string[] {
  switch (kind) {
    case "case":
      return one !== undefined && one.response.status < 300 ? [one.operationId] : [];
    case "probe":
      return probe?.expectation.kind === "succeeds" ? [probe.operationId] : [];
    case "workflow":
      return (workflow?.steps ?? []).flatMap(({ operationId }) => chatOperation(operationId) ?? []);
  }
}
