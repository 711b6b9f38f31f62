import { groupBy } from "../../../text/group-by.js";
import { checkKinds } from "../../model/check-result.js";
import type { JsonCheck, JsonRule } from "../../model/json-report.js";
import type { ReportModel } from "../../model/to-json-report.js";

/** A report in the order of the page. */
export interface PageModel {
  readonly report: ReportModel;
  /** The rows of the map, operations first, then workflows. */
  readonly rows: readonly PageRow[];
  /** Every check, in the order of the rows. */
  readonly checks: readonly PageCheck[];
  /** The rules of the report by id. */
  readonly rules: ReadonlyMap<string, PageRule>;
}

/** An operation, or a resource of workflows, with its checks. */
export interface PageRow {
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
}

/** Whether a check is described among the failures. The table of operations shows those that are not implemented. */
export function hasCard({ kind, verdict }: PageCheck): boolean {
  const isMissing = kind === "operation" && (verdict === "failed" || verdict === "expected");
  return verdict !== "passed" && verdict !== "skipped" && !isMissing;
}

/** A rule and its place on the page. */
export interface PageRule extends JsonRule {
  readonly anchor: string;
  readonly index: number;
  /** The checks that can show it, or broke it. */
  readonly concerning: readonly PageCheck[];
}

/** Converts a report to the order of the page. */
export function toPageModel(report: ReportModel): PageModel {
  const anchorOf = createAnchors();
  const checks: PageCheck[] = [];
  const groups = groupBy(report.checks, (check) => `${check.kind === "workflow"} ${check.operation}`);
  const rows = [...groups.values()]
    .sort(([one], [other]) => Number(one.kind === "workflow") - Number(other.kind === "workflow"))
    .map((group) => {
      const ordered = checkKinds.flatMap((kind) => group.filter((check) => check.kind === kind));
      const ofRow = ordered.map((check, at) => ({
        ...check,
        anchor: anchorOf("check", check.id),
        index: checks.length + at,
      }));
      checks.push(...ofRow);
      const [{ operation: name, kind }] = group;
      return { name, anchor: anchorOf("operation", name), isWorkflow: kind === "workflow", checks: ofRow };
    });
  const byId = new Map(checks.map((check) => [check.id, check]));
  const rules = report.rules.map((rule, index) => {
    const concerning = rule.checks.flatMap((id) => byId.get(id) ?? []);
    return [rule.id, { ...rule, anchor: anchorOf("rule", rule.id), index, concerning }] as const;
  });
  return { report, rows, checks, rules: new Map(rules) };
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
