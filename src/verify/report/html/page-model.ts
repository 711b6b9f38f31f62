import { type Check, checkKinds } from "../../check.js";
import type { VerifyReport } from "../../verify-report.js";
import { groupBy } from "../group-by.js";
import { type Judgement, judgeRules } from "../judge-rules.js";
import { type Verdict, verdictOf } from "../verdict.js";

/** A report in the order of the page. */
export interface PageModel {
  readonly report: VerifyReport;
  readonly judgement: Judgement;
  /** The rows of the map, operations first, then workflows. */
  readonly rows: readonly PageRow[];
  /** Every check, in the order of the rows. */
  readonly checks: readonly PageCheck[];
  readonly checkOf: (id: string) => PageCheck | undefined;
  /** The anchor, index and text of a rule. Undefined for a rule that is not in the report. */
  readonly ruleOf: (
    id: string,
  ) => { readonly anchor: string; readonly index: number; readonly text: string; readonly source?: string } | undefined;
}

/** An operation, or a resource of workflows, with its checks. */
export interface PageRow {
  readonly name: string;
  readonly anchor: string;
  readonly isWorkflow: boolean;
  readonly checks: readonly PageCheck[];
}

/** A check and its place on the page. */
export interface PageCheck {
  readonly check: Check;
  readonly verdict: Verdict;
  readonly anchor: string;
  /** Its index among all checks of the page. */
  readonly index: number;
}

/** Converts a report to the order of the page. */
export function toPageModel(report: VerifyReport): PageModel {
  const { knownFailing } = report;
  const judgement = judgeRules(report);
  const anchorOf = createAnchors();
  const checks: PageCheck[] = [];
  const groups = [...groupBy(report.checks, (check) => `${check.kind === "workflow"} ${check.operation}`).values()];
  const isWorkflow = (group: readonly Check[]) => group[0]?.kind === "workflow";
  const ordered = [...groups.filter((group) => !isWorkflow(group)), ...groups.filter(isWorkflow)];
  const rows = ordered.map((group) => {
    const name = group[0]?.operation ?? "";
    const ofRow = checkKinds.flatMap((kind) =>
      group
        .filter((check) => check.kind === kind)
        .map((check) => {
          const anchor = anchorOf("check", check.id);
          const pageCheck = { check, verdict: verdictOf(check, knownFailing), anchor, index: checks.length };
          checks.push(pageCheck);
          return pageCheck;
        }),
    );
    return { name, anchor: anchorOf("operation", name), isWorkflow: isWorkflow(group), checks: ofRow };
  });
  const byId = new Map(checks.map((one) => [one.check.id, one]));
  const rules = new Map(
    report.rules.map(({ id, text, source }, index) => {
      const rule = { anchor: anchorOf("rule", id), index, text };
      return [id, source === undefined ? rule : { ...rule, source }] as const;
    }),
  );
  return { report, judgement, rows, checks, checkOf: (id) => byId.get(id), ruleOf: (id) => rules.get(id) };
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
