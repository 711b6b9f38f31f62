import type { FeatureLevel } from "../../src/contract/rest/document.js";
import type { Rule } from "../../src/contract/rest/rule.js";
import { richLine } from "../../src/docs/fragment.js";
import { type Html, html } from "../../src/report/html/html.js";

/** Describes the changes of a part of the contract up to a level. */
export function levelNotes(levels: FeatureLevel | undefined, level: number): Html[] {
  if (levels === undefined) return [];
  const { added, changed = [], deprecated, removed, note } = levels;
  return [
    ...(added === undefined ? [] : [html`<span class="level">since level ${added}</span>`]),
    ...(note === undefined ? [] : [html`<span class="change">${richLine(note)}</span>`]),
    ...changed
      .filter((change) => change.level <= level)
      .map((change) => html`<span class="change"><b>Level ${change.level}:</b> ${richLine(change.note)}</span>`),
    ...(deprecated === undefined || deprecated > level
      ? []
      : [html`<span class="level deprecated">deprecated since level ${deprecated}</span>`]),
    ...(removed === undefined || removed > level ? [] : [html`<span class="level">removed in level ${removed}</span>`]),
  ];
}

/** The levels between which a rule holds. */
export function ruleLevels({ since, until }: Pick<Rule, "since" | "until">): Html[] {
  return [
    ...(since === undefined ? [] : [html`<span class="level">from level ${since}</span>`]),
    ...(until === undefined ? [] : [html`<span class="level">before level ${until}</span>`]),
  ];
}
