import { groupBy } from "../../text/group-by.js";
import type { Finding } from "./finding.js";
import { groupByCause } from "./group-findings.js";
import type { JsonCheck, JsonReport, StaleEntry } from "./json-report.js";
import { saysMissing } from "./judge-operations.js";
import { serverDownReason } from "./server-down.js";
import type { Verdict } from "./verdict.js";

/**
 * Lists the broken rules, the operations with failures that break no rule, the recommendations that are not followed, the outdated
 * known-failing entries, and by reason the checks that could not run and those that are known to fail.
 */
export function listFindings(report: JsonReport): Finding[] {
  const { checks, stale, rules } = report;
  const of = (wanted: Verdict) => checks.filter(({ verdict }) => verdict === wanted);
  const failing = checks.filter(({ verdict }) => verdict === "failed" || verdict === "deviating");
  const ofRules = rules.map((rule): Finding => {
    const sentences = [rule.text, ...(rule.source === undefined ? [] : [`Source: ${rule.source}`])];
    const broke = failing.filter(({ broken = [] }) => broken.includes(rule.id));
    return { tag: rule.state === "deviating" ? "DEVIATES" : "FAIL", title: rule.id, sentences, rule, checks: broke };
  });
  const ofOperations = listOperationFailures(report, ["failed", "deviating"]).map(
    ([title, ofOperation]): Finding => ({ tag: "FAIL", title, sentences: [], checks: ofOperation }),
  );
  const failures = groupByCause([...ofRules, ...ofOperations].filter((finding) => finding.checks.length > 0));
  // Causes precede their consequences. The help may name parameters of the check, so groups are by reason alone.
  const errored = [...groupBy(of("errored"), ({ reason = "" }) => reason)].sort(
    ([one], [other]) => Number(one === serverDownReason) - Number(other === serverDownReason),
  );
  return [
    ...failures.filter(({ tag }) => tag === "FAIL"),
    ...failures.filter(({ tag }) => tag === "DEVIATES"),
    ...stale.map(
      (entry): Finding => ({
        tag: "OUT OF DATE",
        title: entry.name,
        sentences: describeStale(entry),
        checks: checks.filter(({ id }) => id === entry.name),
      }),
    ),
    ...errored.map(
      ([, group]): Finding => ({
        tag: "COULD NOT RUN",
        title: group[0].id,
        sentences: [group[0].summary],
        checks: group,
      }),
    ),
    ...[...groupBy(of("expected"), ({ knownFailing = "" }) => knownFailing)].map(
      ([title, group]): Finding => ({ tag: "KNOWN TO FAIL", title, sentences: [], checks: group }),
    ),
  ];
}

/** The operations that are there and have problems that break no rule of the report, with the checks that found them, if these have one of the verdicts. */
export function listOperationFailures(
  { rules, checks }: Pick<JsonReport, "rules" | "checks">,
  wanted: readonly Verdict[],
): [operation: string, checks: readonly JsonCheck[]][] {
  const known = new Set(rules.map(({ id }) => id));
  // The table of operations says which are not implemented.
  const failing = checks.filter(
    (check) =>
      !saysMissing(check) && wanted.includes(check.verdict) && !(check.broken ?? []).some((id) => known.has(id)),
  );
  return [...groupBy(failing, ({ operation }) => operation)];
}

/** Says what is wrong with an outdated entry of the known-failing list. The first sentence says why it is outdated. */
export function describeStale({ why, nearest, reason }: StaleEntry): [string, ...string[]] {
  return [
    why === "passes"
      ? "It is listed as known to fail, but passes. Remove it from the list."
      : "It is listed as known to fail, but no check has this name.",
    ...(nearest.length === 0 ? [] : [`Similar names: ${nearest.join(", ")}`]),
    `Reason given: ${reason}`,
  ];
}
