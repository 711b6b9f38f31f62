import { groupBy } from "../../text/group-by.js";
import { checkKinds } from "../model/check-result.js";
import type { Finding } from "../model/finding.js";
import { listFindings } from "../model/findings.js";
import type { JsonCheck, JsonRule } from "../model/json-report.js";
import { rulesOfRun } from "../model/judge-rules.js";
import type { ReportModel } from "../model/to-json-report.js";

/** A report in the order of the page. */
export interface PageModel {
  readonly report: ReportModel;
  /** Operations, then resources of workflows, with their checks. */
  readonly groups: readonly PageGroup[];
  readonly findings: readonly PageFinding[];
  /** The rules that the run concerns, by id. */
  readonly rules: ReadonlyMap<string, PageRule>;
}

/** An operation, or a resource of workflows, with its checks. */
export interface PageGroup {
  readonly name: string;
  readonly anchor: string;
  readonly isWorkflow: boolean;
  readonly checks: readonly PageCheck[];
}

/** A check and its place on the page. */
export interface PageCheck extends JsonCheck {
  readonly anchor: string;
  /** Its index among all checks of the page. */
  readonly index: number;
  /** Whether a finding describes it. */
  readonly isDescribed: boolean;
}

/** A rule and its place on the page. */
export interface PageRule extends JsonRule {
  readonly anchor: string;
  readonly index: number;
  /** The checks that can show it, or broke it. */
  readonly concerning: readonly PageCheck[];
}

/** A finding with the checks that no finding before it describes. */
export interface PageFinding extends Finding {
  readonly checks: readonly PageCheck[];
}

/** Converts a report to the order of the page. */
export function toPageModel(report: ReportModel): PageModel {
  const anchorOf = createAnchors();
  const findings = listFindings(report);
  const described = new Set(findings.flatMap(({ checks }) => checks.map(({ id }) => id)));
  const byId = new Map<string, PageCheck>();
  const place = (check: JsonCheck): PageCheck => {
    const anchor = anchorOf("check", check.id);
    const placed = { ...check, anchor, index: byId.size, isDescribed: described.has(check.id) };
    byId.set(check.id, placed);
    return placed;
  };
  const groups = [...groupBy(report.checks, ({ kind, operation }) => `${kind === "workflow"} ${operation}`).values()]
    .sort(([one], [other]) => Number(one.kind === "workflow") - Number(other.kind === "workflow"))
    .map((group): PageGroup => {
      const [{ operation: name, kind }] = group;
      const checks = checkKinds.flatMap((wanted) => group.filter((check) => check.kind === wanted)).map(place);
      return { name, anchor: anchorOf("operation", name), isWorkflow: kind === "workflow", checks };
    });
  const rules = rulesOfRun(report).map((rule, index): [string, PageRule] => {
    const concerning = rule.checks.flatMap((id) => byId.get(id) ?? []);
    return [rule.id, { ...rule, anchor: anchorOf("rule", rule.id), index, concerning }];
  });
  const first = new Set<string>();
  const placed = findings.map((finding): PageFinding => {
    const checks = finding.checks.filter(({ id }) => !first.has(id)).flatMap(({ id }) => byId.get(id) ?? []);
    for (const { id } of checks) first.add(id);
    return { ...finding, checks };
  });
  const shown = placed.filter(({ checks, tag }) => checks.length > 0 || tag === "OUT OF DATE");
  return { report, groups, findings: shown, rules: new Map(rules) };
}

/** Creates ids of elements that need no escaping in a URL. A number distinguishes names with the same id. */
function createAnchors(): (kind: string, name: string) => string {
  const taken = new Set<string>();
  return (kind, name) => {
    const plain = `${kind}-${name.replace(/[^\w.~-]+/g, "-").slice(0, 150)}`;
    let anchor = plain;
    for (let number = 2; taken.has(anchor); number++) anchor = `${plain}~${number}`;
    taken.add(anchor);
    return anchor;
  };
}
