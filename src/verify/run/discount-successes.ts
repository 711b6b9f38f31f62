import { callsOf, expectsRefusal, expectsSuccess, isOutsider } from "../../contract/calls.js";
import type { Check as PlannedCheck } from "../../contract/check.js";
import type { CheckResult } from "../../report/model/check-result.js";
import { shownRules } from "../../report/model/check-result.js";
import { groupBy } from "../../text/group-by.js";
import type { Planned } from "./planned.js";

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
export function discountSuccesses(checks: readonly CheckResult[], planned: Planned): CheckResult[] {
  const refusals = checks.flatMap((check) => refusalOf(check, planned) ?? []);
  const open = new Set(
    [...groupBy(refusals, ({ operationId }) => operationId)].flatMap(([id, group]) => (isOpenToAll(group) ? id : [])),
  );
  return checks.map((check) => {
    const { outcome } = check;
    if (shownRules(check).length === 0) return check;
    const [first] = successesOf(planned.get(check.id)).filter((id) => open.has(id));
    if (first === undefined) return check;
    const reason = `${first} accepts requests that it must refuse, so its success shows nothing`;
    return { ...check, outcome: { ...outcome, shown: [], ...(outcome.kind === "passed" ? { reason } : {}) } };
  });
}

function refusalOf({ id, outcome }: CheckResult, checks: Planned): Refusal | undefined {
  if (outcome.kind === "skipped" || outcome.kind === "errored") return undefined;
  const planned = checks.get(id);
  if (planned === undefined || planned.kind === "workflow") return undefined;
  const call = callsOf(planned).find(({ readBack }) => readBack === undefined);
  if (call?.call === undefined || !expectsRefusal(call)) return undefined;
  const { as, call: operationId } = call;
  const letThrough = outcome.kind === "failed" && outcome.letThrough === true;
  // Of probes, only unknown users and wrong keys: other refusals may be left open.
  if (planned.kind === "probe" && (as === "nobody" || !isOutsider(as))) return undefined;
  return { operationId, isOutsider: isOutsider(as), letThrough };
}

/** A single accepted request may be a slip; accepting an unknown caller is not. */
function isOpenToAll(refusals: readonly Refusal[]): boolean {
  if (refusals.some((one) => one.isOutsider && one.letThrough)) return true;
  const others = refusals.filter((one) => !one.isOutsider);
  return others.length > 1 && others.every(({ letThrough }) => letThrough);
}

/** Lists the operations whose success a check relies on. */
function successesOf(planned: PlannedCheck | undefined): string[] {
  const calls = callsOf(planned);
  const relied =
    planned?.kind === "workflow" ? calls : calls.filter((call) => call.readBack === undefined && expectsSuccess(call));
  return relied.flatMap(({ call }) => call ?? []);
}
