import { all, byId, normalize, textOf } from "./dom.js";
import { unfold, unfoldFailures } from "./folding.js";
import { refreshMap } from "./map.js";

export const search = byId("search") as HTMLInputElement;
const [found, reset, nothing] = [byId("found"), byId("reset"), byId("nothing")];
const chips = all<HTMLButtonElement>(".chip");
const groups = all("[data-group]").reverse();
const entries = all("[data-entry]").map((element) => ({ element, text: normalize(element.textContent ?? "") }));

const rules = all("[data-rule]").map((element) => {
  const text = textOf(".id,.text", element);
  return { element, text, found: text, checks: [] as (typeof checks)[number][] };
});
const ruleAt = new Map(rules.map((rule) => [rule.element.dataset.rule, rule]));
const checks = all("#checks li").map(({ dataset }) => ({
  dataset,
  places: [] as HTMLElement[],
  text: "",
  passes: true,
}));
for (const place of all("[data-check]")) {
  const check = checks[Number(place.dataset.check)];
  check?.places.push(place);
  if (check && !place.classList.contains("cell")) {
    check.text += ` ${textOf(".id,.id + p,.problems li,.help,.reason,.why", place)}`;
  }
}
// A check is also found by the texts of its rules, and a rule by the ids of its checks.
for (const check of checks) {
  const [id, ofCheck] = [textOf(".id", check.places.at(-1)), check.dataset.rules?.split(" ") ?? []];
  for (const rule of ofCheck.flatMap((index) => ruleAt.get(index) ?? [])) {
    rule.checks.push(check);
    rule.found += ` ${id}`;
    check.text += ` ${rule.text}`;
  }
}

/** Shows the checks, rules and entries that match the search and the filters, and hides the others. */
export function applyFilters(): void {
  const words = normalize(search.value).split(/\s+/).filter(Boolean);
  const has = (text: string) => words.every((word) => text.includes(word));
  const [outcomes, kinds, states] = [chosen("verdict"), chosen("kind"), chosen("state")];
  const allows = (filter: ReadonlySet<unknown>, value: string | undefined) => filter.size === 0 || filter.has(value);
  const hasCheckFilter = outcomes.size + kinds.size > 0;
  let [checkCount, ruleCount] = [0, 0];
  for (const check of checks) {
    check.passes = allows(outcomes, check.dataset.verdict) && allows(kinds, check.dataset.kind);
    const matches = check.passes && has(check.text);
    if (matches) checkCount++;
    for (const place of check.places) {
      if (place.classList.contains("cell")) place.classList.toggle("dim", !matches);
      else place.hidden = !matches;
    }
  }
  for (const { element, found: text, checks: ofRule } of rules) {
    const passes = allows(states, element.dataset.state) && (!hasCheckFilter || ofRule.some((check) => check.passes));
    element.hidden = !(passes && has(text));
    if (!element.hidden) ruleCount++;
  }
  for (const { element, text } of entries) {
    element.hidden = !has(text) || kinds.size > 0 || !allows(outcomes, "stale");
  }
  const isFiltered = words.length > 0 || hasCheckFilter;
  hideEmptyGroups(isFiltered || states.size > 0, states.size > 0);
  unfold("#checks", isFiltered, checkCount);
  unfoldFailures(isFiltered);
  unfold("#rules", isFiltered || states.size > 0, ruleCount);
  showCounts(isFiltered || states.size > 0, checkCount, ruleCount);
  refreshMap();
}

/** Turns a filter on or off. */
export function toggleChip(chip: HTMLButtonElement): void {
  chip.ariaPressed = chip.ariaPressed === "true" ? "false" : "true";
  applyFilters();
}

export function clearFilters(): void {
  search.value = "";
  for (const chip of chips) chip.ariaPressed = "false";
  applyFilters();
}

function chosen(filter: string): ReadonlySet<string | undefined> {
  const pressed = chips.filter((chip) => chip.dataset.filter === filter && chip.ariaPressed === "true");
  return new Set(pressed.map((chip) => chip.dataset.value));
}

/** Hides the groups without results, inner ones first. The rules contain the switches of their own filter, which must stay accessible. */
function hideEmptyGroups(isFiltered: boolean, keepsRules: boolean): void {
  const results = "[data-check]:not([hidden],.dim),[data-rule]:not([hidden]),[data-entry]:not([hidden])";
  for (const group of groups) {
    group.hidden = isFiltered && !(keepsRules && group.id === "rules") && group.querySelector(results) === null;
  }
}

function showCounts(isFiltered: boolean, checkCount: number, ruleCount: number): void {
  const count = (number: number, total: number, name: string) =>
    `${number.toLocaleString("en")} of ${total.toLocaleString("en")} ${name}`;
  const counts = `${count(ruleCount, rules.length, "rules")}, ${count(checkCount, checks.length, "checks")}`;
  if (found !== null) found.textContent = isFiltered ? counts : "";
  if (reset !== null) reset.hidden = !isFiltered;
  const isEmpty = checkCount + ruleCount === 0 && entries.every(({ element }) => element.hidden);
  if (nothing !== null) nothing.hidden = !isFiltered || !isEmpty;
}
