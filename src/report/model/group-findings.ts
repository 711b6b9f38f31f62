import { abbreviateList, pluralize } from "../../text/format-values.js";
import { groupBy } from "../../text/group-by.js";
import type { Finding } from "./finding.js";
import type { JsonCheck, JsonRule } from "./json-report.js";

/** How many of the operations of a cause are named. */
const maxNamed = 8;

/**
 * Makes one finding of what goes wrong in the same way in several operations, such as a property that no response may have. What only one
 * operation does remains a finding of its rule. Rules are alike if they say the same of different operations.
 */
export function groupByCause(findings: readonly Finding[]): Finding[] {
  const alike = groupBy(findings, ({ tag, rule, title }) =>
    JSON.stringify([tag, rule?.text, rule === undefined ? undefined : lastPart(title)]),
  );
  return [...alike.values()].flatMap((group) => (group.length === 1 ? group : groupAlike(group)));
}

function groupAlike(findings: readonly Finding[]): Finding[] {
  const found = findings.flatMap((finding) => finding.checks.map((check) => ({ finding, check })));
  const shared = [...groupBy(found, ({ check, finding }) => causeOf(check, finding.rule)).values()].filter(
    (same) => new Set(same.map(({ finding }) => finding)).size > 1,
  );
  const taken = new Map(findings.map((finding) => [finding, new Set<JsonCheck>()]));
  for (const { finding, check } of shared.flat()) taken.get(finding)?.add(check);
  const own = findings.flatMap((finding): Finding[] => {
    const checks = finding.checks.filter((check) => !taken.get(finding)?.has(check));
    return checks.length === 0 ? [] : [{ ...finding, checks }];
  });
  const ofCauses = shared.map((same): Finding => {
    const [{ finding }] = same as [(typeof same)[number]];
    const operations = [...new Set(same.map((one) => operationOf(one.check, one.finding.rule)))];
    const others = new Set(same.map((one) => one.finding)).size - 1;
    const kind = finding.rule === undefined ? "more operation" : "more rule";
    return {
      ...finding,
      title: `${finding.title} and ${pluralize(others, kind)}`,
      sentences: [
        ...finding.sentences,
        `The same cause in ${pluralize(operations.length, "operation")}: ${abbreviateList(operations, maxNamed)}.`,
      ],
      checks: same.map(({ check }) => check),
    };
  });
  return [...ofCauses, ...own];
}

/** The operation that a finding of a check is about. A workflow is of a resource, but may break an implied rule, which names the operation. */
function operationOf({ kind, operation }: JsonCheck, rule: JsonRule | undefined): string {
  return kind !== "workflow" || rule === undefined ? operation : rule.id.slice(0, rule.id.lastIndexOf("."));
}

function lastPart(id: string): string {
  return id.slice(id.lastIndexOf(".") + 1);
}

/** What a check found, without what differs from one operation, request or response to the next. */
function causeOf(check: JsonCheck, rule: JsonRule | undefined): string {
  const { operation, problems = [] } = check;
  // What was expected instead of a failure does not matter.
  const [first = ""] = problems.filter((problem) => problem.includes("the server failed with")).concat(problems);
  return first
    .replace(/^step \S+: /, "")
    .replaceAll(operation, "*")
    .replaceAll(operationOf(check, rule), "*")
    .replace(/; \S+ \S+ (?=[a-z]+ the )/, "; ")
    .replace(/ with .*$/s, "")
    .replace(/, got (?!\d{3}\b).*$/s, "")
    .replace(/\/\d+(?=[/:])/g, "/*");
}
