import { pluralize } from "../format-values.js";
import { groupBy } from "../group-by.js";
import { brokenRules, type StaleEntry } from "../judge-rules.js";
import { type Verdict, verdictNames, verdicts } from "../verdict.js";
import { type Html, html, withCode } from "./html.js";
import type { PageCheck, PageModel } from "./page-model.js";
import { firstProblem, renderCard } from "./render-card.js";
import { type HeadingLevel, renderHeading } from "./render-parts.js";

/** Groups are initially open if there are at most this many failures. */
const maxOpenGroups = 5;
/** How many failures are initially open in these groups. */
const maxOpenCards = 2;
/** More groups than this are folded by resource. */
const maxGroups = 30;
/** The rest of a group is folded. */
const maxCards = 10;

/** Renders failures, outdated known-failing entries, checks that could not run, deviations and known failures; undefined without any. */
export function renderFailures(model: PageModel): Html | undefined {
  const { checks, judgement } = model;
  const of = (...wanted: readonly Verdict[]) => checks.filter(({ verdict }) => wanted.includes(verdict));
  const [urgent, deviating, known] = [of("failed", "stale", "errored"), of("deviating"), of("expected")];
  const unknown = judgement.stale.filter(({ why }) => why === "unknown");
  if (urgent.length + deviating.length + known.length + unknown.length === 0) return undefined;
  const isWrong = urgent.length + unknown.length > 0;
  const title = isWrong ? "What is wrong" : deviating.length > 0 ? "Recommendations not followed" : "Known to fail";
  return html`<section id="failures" aria-labelledby="failures-title" data-group>
<h2 id="failures-title">${title}</h2>
${renderGroups(groupFailures(urgent, model), model, urgent.length <= maxOpenGroups)}
${renderUnknown(unknown)}
${isWrong && deviating.length > 0 ? html`<h2 class="known">Recommendations not followed</h2>` : undefined}
${renderGroups(groupFailures(deviating, model), model, !isWrong && deviating.length <= maxOpenGroups)}
${known.length > 0 && (isWrong || deviating.length > 0) ? html`<h2 class="known">Known to fail</h2>` : undefined}
${renderGroups(groupFailures(known, model), model, false)}
</section>`;
}

/** Renders groups one below the other, or folded by resource if there are too many. */
function renderGroups(groups: readonly FailureGroup[], model: PageModel, open: boolean): Html | undefined {
  if (groups.length === 0) return undefined;
  if (groups.length > maxGroups) {
    const parts = groupBy(groups, ({ topic }) => partOf(topic, model));
    return html`${[...parts].map(([name, of]) => renderPart(name, of, model))}`;
  }
  let before = 0;
  const topics = groups.map((group) => {
    const opened = open ? Math.max(maxOpenCards - before, 0) : undefined;
    before += group.checks.length;
    return renderGroup(group, model, 3, opened);
  });
  return html`<div class="topics">${topics}</div>`;
}

/** The title under which a group is folded if there are many. */
function partOf(topic: FailureTopic, { judgement, ruleOf }: PageModel): string {
  switch (topic.kind) {
    case "rule":
      return judgement.rules[ruleOf(topic.id)?.index ?? -1]?.resource ?? topic.id;
    case "operation":
      return "Not as described";
    case "stale":
      return "Passed unexpectedly";
    case "errored":
      return "Could not run";
  }
}

function renderPart(name: string, groups: readonly FailureGroup[], model: PageModel): Html {
  const rules = groups.filter(({ topic }) => topic.kind === "rule").length;
  const broken = rules > 0 ? html`<span>${pluralize(rules, "rule")}</span>` : undefined;
  const counts = renderCounts(groups.flatMap(({ checks }) => checks));
  return html`<details class="group" data-group>
<summary><h3>${name}</h3><span class="counts">${broken}${counts}</span></summary>
<div class="topics">${groups.map((group) => renderGroup(group, model, 4))}</div>
</details>
`;
}

/** Renders a group. `opened` is the number of open checks; without it, the group is folded. */
function renderGroup({ topic, checks }: FailureGroup, model: PageModel, level: 3 | 4, opened?: number): Html {
  const rule = topic.kind === "rule" ? topic.id : undefined;
  const cards = checks.map((check, index) =>
    // The only check of a folded group is open, so that it takes one click to see it.
    renderCard(check, model, {
      level: level === 3 ? 4 : 5,
      open: index < (opened ?? (checks.length === 1 ? 1 : 0)),
      rule,
    }),
  );
  const more = html`<details class="more" data-group><summary>${pluralize(cards.length - maxCards, "more check")}</summary>${cards.slice(maxCards)}</details>`;
  const problem = checks[0] === undefined || topic.kind === "errored" ? undefined : firstProblem(checks[0].check);
  const { anchor, source } = (rule === undefined ? undefined : model.ruleOf(rule)) ?? {};
  return html`<details class="topic" data-group${opened === undefined ? undefined : html` open`}>
<summary>${renderTitle(topic, model, level)}<span class="counts">${renderCounts(checks)}</span>${
    problem === undefined ? undefined : html`<span class="first">${withCode(problem)}</span>`
  }</summary>
<div class="cards">${source === undefined ? undefined : html`<p class="source">Source: ${withCode(source)}</p>`}
${anchor === undefined ? undefined : html`<p class="to"><a href="#${anchor}">All checks of this rule</a></p>`}
${cards.slice(0, maxCards)}${cards.length > maxCards ? more : undefined}</div>
</details>
`;
}

function renderTitle(topic: FailureTopic, { ruleOf }: PageModel, level: HeadingLevel): Html {
  const title = (heading: Html, sentence: string) =>
    html`${renderHeading(level, heading)}<span class="sentence">${withCode(sentence)}</span>`;
  switch (topic.kind) {
    case "rule":
      return title(html`<code>${topic.id}</code>`, ruleOf(topic.id)?.text ?? "");
    case "operation":
      return title(
        html`<code>${topic.operation}</code>`,
        "Its responses do not match the schemas. No rule covers this.",
      );
    case "stale":
      return title(
        html`Passed unexpectedly`,
        "These are listed as known to fail, but pass. Remove them from the list.",
      );
    case "errored":
      return title(html`Could not run`, topic.reason);
  }
}

function renderCounts(checks: readonly PageCheck[]): Html[] {
  return verdicts
    .map((verdict) => ({ verdict, count: checks.filter((check) => check.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(
      ({ verdict, count }) =>
        html`<span class="count ${verdict}">${count.toLocaleString("en-US")} ${verdictNames[verdict]}</span>`,
    );
}

/** Renders the entries of the known-failing list that match no check. */
function renderUnknown(entries: readonly StaleEntry[]): Html | undefined {
  if (entries.length === 0) return undefined;
  const items = entries.map(({ name, reason, nearest }) => {
    const similar = html`<p>Similar names:</p><ul>${nearest.map((other) => html`<li><code>${other}</code></li>`)}</ul>`;
    return html`<li class="card stale" data-entry><p class="id"><code>${name}</code></p><p class="reason">Reason given: ${reason}</p>${nearest.length === 0 ? undefined : similar}</li>`;
  });
  return html`<div class="topics"><details class="topic" data-group${entries.length <= maxOpenCards ? html` open` : undefined}>
<summary><h3>Out of date</h3><span class="sentence">These are listed as known to fail, but no check has their name.</span><span class="counts"><span class="count stale">${pluralize(entries.length, "entry", "entries")}</span></span></summary>
<ul class="cards">${items}</ul>
</details></div>`;
}

/** Checks of one topic that are shown as cards. */
export interface FailureGroup {
  readonly topic: FailureTopic;
  readonly checks: readonly PageCheck[];
}

/** The common topic of the failures in a group. */
export type FailureTopic =
  /** The first rule that each of them broke. */
  | { readonly kind: "rule"; readonly id: string }
  /** They break no rule of the report: the responses of an operation do not match its schemas. */
  | { readonly kind: "operation"; readonly operation: string }
  /** They are known to fail, but passed. */
  | { readonly kind: "stale" }
  /** They could not run for the same reason. */
  | { readonly kind: "errored"; readonly reason: string };

/** Groups the checks with cards, broken rules first. */
export function groupFailures(checks: readonly PageCheck[], { ruleOf }: Pick<PageModel, "ruleOf">): FailureGroup[] {
  const withTopics = checks.map((check) => ({ check, topic: topicOf(check, ruleOf) }));
  const groups = [...groupBy(withTopics, ({ topic }) => keyOf(topic)).values()].flatMap((group) => {
    const topic = group[0]?.topic;
    return topic === undefined ? [] : [{ topic, checks: group.map(({ check }) => check) }];
  });
  return order.flatMap((kind) => groups.filter(({ topic }) => topic.kind === kind));
}

const order = ["rule", "operation", "stale", "errored"] as const satisfies FailureTopic["kind"][];

function topicOf({ check, verdict }: PageCheck, ruleOf: PageModel["ruleOf"]): FailureTopic {
  if (check.outcome.kind === "errored") return { kind: "errored", reason: check.outcome.reason };
  if (verdict === "stale") return { kind: "stale" };
  const id = brokenRules(check).find((rule) => ruleOf(rule) !== undefined);
  return id === undefined ? { kind: "operation", operation: check.operation } : { kind: "rule", id };
}

function keyOf(topic: FailureTopic): string {
  switch (topic.kind) {
    case "rule":
      return `rule ${topic.id}`;
    case "operation":
      return `operation ${topic.operation}`;
    case "stale":
      return "stale";
    case "errored":
      return `errored ${topic.reason}`;
  }
}
