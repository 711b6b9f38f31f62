import { isDeepStrictEqual } from "node:util";
import { callsOf, expectsRefusal, expectsSuccess } from "../../contract/calls.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import { brokenRules, type CheckResult } from "../../report/model/check-result.js";
import type { Planned } from "./planned.js";

/**
 * Takes the implied rule about credentials off the broken ones of a check if the server neither accepted its request nor accepted the same
 * one with credentials: what is wrong with the response may have nothing to do with credentials. Sends nothing for that, since the same
 * request is a case.
 */
export function discountCredentials(
  checks: readonly CheckResult[],
  planned: Planned,
  operations: ReadonlyMap<string, Pick<ProbedOperation, "implied">>,
): CheckResult[] {
  const accepted = checks
    .filter(({ kind, outcome }) => kind === "case" && outcome.kind === "passed")
    .flatMap(({ id }) => callsOf(planned.get(id)).filter(expectsSuccess));
  return checks.map((check) => {
    const { outcome, operation } = check;
    if (outcome.kind !== "failed" || outcome.letThrough) return check;
    const rule = operations.get(operation)?.implied?.credentials;
    const [call] = callsOf(planned.get(check.id)).filter(expectsRefusal);
    const broken = brokenRules(check).filter((one) => one !== rule);
    if (rule === undefined || call === undefined || broken.length === brokenRules(check).length) return check;
    if (accepted.some((one) => one.call === operation && isDeepStrictEqual(one.with, call.with))) return check;
    if (broken.length > 0) return { ...check, outcome: { ...outcome, broken } };
    const reason = "no response to the same request with credentials is there to compare";
    return { ...check, outcome: { kind: "skipped", reason } };
  });
}
