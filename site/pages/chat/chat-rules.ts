import { isClientRule } from "../../../src/contract/rest/client-rules.js";
import type { ContractDocument } from "../../../src/contract/rest/document.js";
import { listOperations, parametersOf } from "../../../src/contract/rest/operations.js";
import type { Rule } from "../../../src/contract/rest/rule.js";
import { workflowName } from "../../../src/contract/rest/workflows.js";
import { type Html, html } from "../../../src/report/html/html.js";
import { rangesWhere } from "../../levels/level-ranges.js";
import { levelAttributes } from "../../levels/levelled.js";
import type { ShownRule } from "../rule-list.js";
import { operationPage, type SiteSource, workflowPage } from "../site-source.js";

/**
 * Renders the rules of an operation, or of all operations, with their levels and links to their checks. `root` leads from the page to the
 * root of the site.
 */
export function showRules(
  source: SiteSource,
  rules: readonly Rule[],
  holdsAt: (id: string, level: number) => boolean,
  root = "../",
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
    checks: isClientRule(rule) ? clientChecks(rule, root) : serverChecks(source, rule, root),
  }));
}

function serverChecks(source: SiteSource, rule: Rule, root: string): Html[] {
  const { views, coverage, workflows, casesAt } = source;
  const covered = coverage.get(rule.id);
  const cases = (covered?.cases ?? []).map((id) => {
    const [operationId = "", name = ""] = id.split(" ");
    const ranges = rangesWhere(views.levels, (level) =>
      casesAt(level).some((one) => one.operationId === operationId && one.name === name),
    );
    return html`<a class="check"${levelAttributes(views, ranges)} href="${root}${operationPage(operationId)}#case-${name}"><span>case</span> ${name}</a>`;
  });
  const drawn = (covered?.workflows ?? []).map((id) => {
    const resource = workflows.find((one) => workflowName(one) === id)?.operation ?? "";
    return html`<a class="check" href="${root}${workflowPage(resource)}#workflow-${id}"><span>workflow</span> ${id}</a>`;
  });
  return [...probes(source, rule, root), ...cases, ...drawn, ...inCode(source, rule, root)];
}

function inCode({ codeChecks }: SiteSource, { id }: Rule, root: string): Html[] {
  const own = codeChecks.filter(({ rules }) => rules.includes(id));
  return own.map(
    (check) =>
      html`<a class="check" href="${root}guides/project/openapi-checks.html#checks-in-code"><span>code</span> ${check.summary}</a>`,
  );
}

function probes({ views }: SiteSource, rule: Rule, root: string): Html[] {
  const kind = rule["shown-by"]?.kind;
  const kinds = [
    ...(kind === undefined ? [] : [kind]),
    ...(isShownByReferences(views.whole, rule) ? ["reference"] : []),
  ];
  return kinds.map(
    (name) =>
      html`<a class="check" href="${root}guides/project/openapi-checks.html#derived-checks"><span>probe</span> ${name}</a>`,
  );
}

/** Whether probes show a rule by sending ids or names of another organization. */
function isShownByReferences(document: ContractDocument, { id }: Rule): boolean {
  return listOperations(document).some(({ operation }) => {
    const fields = Object.values(operation.requestBody?.content ?? {}).flatMap(({ encoding = {} }) =>
      Object.values(encoding),
    );
    return [...parametersOf(document, operation), ...fields].some((one) => one["x-refers-to"]?.rules?.includes(id));
  });
}

function clientChecks({ seen, strain }: Rule, root: string): Html[] {
  return [
    ...(seen === undefined
      ? []
      : [html`<a class="check" href="${root}guides/client-rules.html"><span>traffic of the client</span></a>`]),
    ...(strain === undefined
      ? []
      : [html`<a class="check" href="${root}guides/client-rules.html"><span>strain</span> ${strain}</a>`]),
  ];
}
