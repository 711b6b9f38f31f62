import { pluralize } from "../../../text/format-values.js";
import { groupBy } from "../../../text/group-by.js";
import type { StaleEntry } from "../../model/json-report.js";
import { tallyVerdicts, type Verdict } from "../../model/verdict.js";
import { type Html, html, withCode } from "./html.js";
import { hasCard, type PageCheck, type PageModel, type PageRule } from "./page-model.js";
import { renderCard, renderFirst } from "./render-card.js";
import { renderCounts } from "./render-parts.js";

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
  const of = (...wanted: readonly Verdict[]) =>
    model.checks.filter((check) => hasCard(check) && wanted.includes(check.verdict));
  const [urgent, deviating, known] = [of("failed", "stale", "errored"), of("deviating"), of("expected")];
  const unknown = model.report.stale.filter(({ why }) => why === "unknown");
  const isWrong = urgent.length + unknown.length > 0;
  const parts = [
    {
      title: "What is wrong",
      count: urgent.length + unknown.length,
      content: html`${renderGroups(urgent, model, urgent.length <= maxOpenGroups)}${renderUnknown(unknown)}`,
    },
    {
      title: "Recommendations not followed",
      count: deviating.length,
      content: renderGroups(deviating, model, !isWrong && deviating.length <= maxOpenGroups),
    },
    { title: "Known to fail", count: known.length, content: renderGroups(known, model, false) },
  ].filter(({ count }) => count > 0);
  if (parts.length === 0) return undefined;
  const shown = parts.map(({ title, content }, at) =>
    at === 0 ? html`<h2 id="failures-title">${title}</h2>${content}` : html`<h2 class="known">${title}</h2>${content}`,
  );
  return html`<section id="failures" aria-labelledby="failures-title" data-group>
${shown}
</section>`;
}

/** What the checks of a group have in common. */
interface Topic {
  /** Lower ones come first. */
  readonly order: number;
  readonly title: Html;
  readonly sentence: string;
  /** The title under which the group is folded if there are many. */
  readonly part: string;
  /** The first rule that each of them broke. */
  readonly rule?: PageRule;
}

function topicOf({ verdict, reason = "", broken = [], operation }: PageCheck, { rules }: PageModel): Topic {
  if (verdict === "errored") return { order: 3, title: html`Could not run`, sentence: reason, part: "Could not run" };
  if (verdict === "stale") {
    const sentence = "These are listed as known to fail, but pass. Remove them from the list.";
    return { order: 2, title: html`Passed unexpectedly`, sentence, part: "Passed unexpectedly" };
  }
  const [rule] = broken.flatMap((id) => rules.get(id) ?? []);
  if (rule !== undefined)
    return { order: 0, title: html`<code>${rule.id}</code>`, sentence: rule.text, part: rule.resource, rule };
  const sentence = "Its responses do not match the schemas. No rule covers this.";
  return { order: 1, title: html`<code>${operation}</code>`, sentence, part: "Not as described" };
}

/** Checks that have cards below a common title. */
interface FailureGroup extends Topic {
  readonly checks: readonly [PageCheck, ...PageCheck[]];
}

function groupFailures(checks: readonly PageCheck[], model: PageModel): FailureGroup[] {
  const found = checks.map((check) => ({ check, topic: topicOf(check, model) }));
  const groups = groupBy(found, ({ topic: { order, title, sentence } }) => `${order} ${title.markup} ${sentence}`);
  return [...groups.values()]
    .map(
      ([{ check, topic }, ...others]): FailureGroup => ({
        ...topic,
        checks: [check, ...others.map((one) => one.check)],
      }),
    )
    .sort((one, other) => one.order - other.order);
}

/** Renders groups one below the other, or folded by resource if there are too many. */
function renderGroups(checks: readonly PageCheck[], model: PageModel, open: boolean): Html | undefined {
  const groups = groupFailures(checks, model);
  if (groups.length === 0) return undefined;
  if (groups.length > maxGroups) {
    const parts = [...groupBy(groups, ({ part }) => part)].map(([name, of]) => {
      const rules = of.filter(({ rule }) => rule !== undefined).length;
      const counts = renderCounts(tallyVerdicts(of.flatMap((group) => group.checks)));
      return html`<details class="group" data-group>
<summary><h3>${name}</h3><span class="counts">${rules > 0 ? html`<span>${pluralize(rules, "rule")}</span>` : undefined}${counts}</span></summary>
<div class="topics">${of.map((group) => renderGroup(group, model, 4))}</div>
</details>
`;
    });
    return html`${parts}`;
  }
  let before = 0;
  const topics = groups.map((group) => {
    const opened = open ? Math.max(maxOpenCards - before, 0) : undefined;
    before += group.checks.length;
    return renderGroup(group, model, 3, opened);
  });
  return html`<div class="topics">${topics}</div>`;
}

/** Renders a group. `opened` is the number of open checks; without it, the group is folded. */
function renderGroup(group: FailureGroup, model: PageModel, headingLevel: 3 | 4, opened?: number): Html {
  const { title, sentence, rule, checks } = group;
  // The only check of a folded group is open, so that it takes one click to see it.
  const maxOpen = opened ?? (checks.length === 1 ? 1 : 0);
  const cards = checks.map((check, index) =>
    renderCard(check, model, { headingLevel: headingLevel === 3 ? 4 : 5, open: index < maxOpen, rule: rule?.id }),
  );
  const more = html`<details class="more" data-group><summary>${pluralize(cards.length - maxCards, "more check")}</summary>${cards.slice(maxCards)}</details>`;
  const heading: Html = { markup: `h${headingLevel}` };
  return html`<details class="topic" data-group${opened === undefined ? undefined : html` open`}>
<summary><${heading}>${title}</${heading}><span class="sentence">${withCode(sentence)}</span><span class="counts">${renderCounts(tallyVerdicts(checks))}</span>${
    checks[0].verdict === "errored" ? undefined : renderFirst(checks[0])
  }</summary>
<div class="cards">${rule?.source && html`<p class="source">Source: ${withCode(rule.source)}</p>`}
${rule && html`<p class="to"><a href="#${rule.anchor}">All checks of this rule</a></p>`}
${cards.slice(0, maxCards)}${cards.length > maxCards ? more : undefined}</div>
</details>
`;
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
