import { isClientRule } from "../../src/contract/chat/client-rules.js";
import type { Rule } from "../../src/contract/chat/rules.js";
import { type Html, html } from "../../src/verify/report/html/html.js";
import { rangesWhere } from "../levels/level-ranges.js";
import { levelAttributes } from "../levels/levelled.js";
import type { ShownRule } from "./rule-list.js";
import { operationPage, type SiteSource, workflowPage } from "./site-source.js";

/** The rules of an operation, or of all operations, with the levels at which they hold and links to what checks them. */
export function showRules(
  source: SiteSource,
  rules: readonly Rule[],
  holdsAt: (id: string, level: number) => boolean,
): ShownRule[] {
  const { views } = source;
  return rules.map((rule) => ({
    ...rule,
    isOfClients: isClientRule(rule),
    attributes: levelAttributes(
      views,
      rangesWhere(views.levels, (level) => holdsAt(rule.id, level)),
      `rule-${rule.id}`,
    ),
    checks: isClientRule(rule) ? clientChecks(rule) : serverChecks(source, rule),
  }));
}

function serverChecks(source: SiteSource, rule: Rule): Html[] {
  const { views, coverage, workflows, casesAt } = source;
  const covered = coverage.get(rule.id);
  const cases = (covered?.cases ?? []).map((id) => {
    const [operationId = "", name = ""] = id.split(" ");
    const ranges = rangesWhere(views.levels, (level) =>
      casesAt(level).some((one) => one.operationId === operationId && one.name === name),
    );
    return html`<a class="check case"${levelAttributes(views, ranges)} href="../${operationPage(operationId)}#case-${name}"><span>case</span> ${name}</a>`;
  });
  const drawn = (covered?.workflows ?? []).map((id) => {
    const resource = workflows.find(({ workflowId }) => workflowId === id)?.resource ?? "";
    return html`<a class="check workflow" href="../${workflowPage(resource)}#workflow-${id}"><span>workflow</span> ${id}</a>`;
  });
  return [...probes(rule), ...cases, ...drawn];
}

function probes(rule: Rule): Html[] {
  const kind = rule["shown-by"]?.kind;
  return kind === undefined
    ? []
    : [html`<a class="check probe" href="../checks.html#probe-${kind}"><span>probe</span> ${kind}</a>`];
}

function clientChecks({ seen, strain }: Rule): Html[] {
  return [
    ...(seen === undefined
      ? []
      : [html`<a class="check probe" href="../guides/client-rules.html"><span>traffic of the client</span></a>`]),
    ...(strain === undefined
      ? []
      : [html`<a class="check probe" href="../guides/client-rules.html"><span>strain</span> ${strain}</a>`]),
  ];
}
