import { all, byId, normalize, textOf } from "./dom.js";
import { unfold, unfoldFailures } from "./folding.js";
import { refreshMap } from "./map.js";

export const search = byId("search") as HTMLInputElement;
const [found, reset, nothing] = [byId("found"), byId("reset"), byId("nothing")];
const chips = all<HTMLButtonElement>(".chip");
const groups = all("[data-group]").reverse();
const entries = all("[data-entry]").map((element) => ({ element, text: normalize(element.textContent ?? "") }));

const rules = all("[data-rule]").map((element) => ({ element, text: textOf(".id,.text", element) }));
const ruleAt = new Map(rules.map((rule) => [rule.element.dataset.rule, rule]));
const checks = all("#checks li").map(({ dataset }) => ({
  dataset,
  places: [] as HTMLElement[],
  rules: (dataset.rules ?? "").split(" ").flatMap((index) => ruleAt.get(index) ?? []),
  texts: [] as string[],
}));
for (const place of all("[data-check]")) {
  const check = checks[Number(place.dataset.check)];
  check?.places.push(place);
  if (!place.classList.contains("cell"))
    check?.texts.push(textOf(".id,.id + p,.problems li,.help,.reason,.why", place));
}
const searchable = checks.map((check) => ({
  ...check,
  id: textOf(".id", check.places.at(-1) ?? document),
  text: [...check.texts, ...check.rules.map(({ text }) => text)].join(" "),
}));

/** Shows the checks, rules and entries that match the search and the filters, and hides the others. */
export function applyFilters(): void {
  const words = normalize(search.value).split(/\s+/).filter(Boolean);
  const has = (text: string) => words.every((word) => text.includes(word));
  const [outcomes, kinds, states] = [chosen("verdict"), chosen("kind"), chosen("state")];
  const allows = (filter: ReadonlySet<unknown>, value: string | undefined) => filter.size === 0 || filter.has(value);
  const hasCheckFilter = outcomes.size + kinds.size > 0;
  /** The ids of the checks of each rule that pass the filters, and of all. */
  const ids = new Map(rules.map((rule) => [rule, { passing: 0, text: "" }]));
  let checkCount = 0;
  for (const { dataset, places, rules: ofCheck, id, text } of searchable) {
    const passes = allows(outcomes, dataset.verdict) && allows(kinds, dataset.kind);
    const matches = passes && has(text);
    if (matches) checkCount++;
    for (const place of places) {
      if (place.classList.contains("cell")) place.classList.toggle("dim", !matches);
      else place.hidden = !matches;
    }
    for (const rule of ofCheck) {
      const known = ids.get(rule);
      if (known === undefined) continue;
      known.text += ` ${id}`;
      if (passes) known.passing++;
    }
  }
  let ruleCount = 0;
  for (const [{ element, text }, { passing, text: names }] of ids) {
    const passes = allows(states, element.dataset.state) && (!hasCheckFilter || passing > 0);
    element.hidden = !(passes && has(text + names));
    if (!element.hidden) ruleCount++;
  }
  for (const { element, text } of entries) {
    element.hidden = !has(text) || kinds.size > 0 || !allows(outcomes, "stale");
  }
  const isFiltered = words.length > 0 || hasCheckFilter || states.size > 0;
  hideEmptyGroups(isFiltered, states.size > 0);
  unfold("#checks", words.length > 0 || hasCheckFilter, checkCount);
  unfoldFailures(words.length > 0 || hasCheckFilter);
  unfold("#rules", isFiltered, ruleCount);
  showCounts(isFiltered, checkCount, ruleCount);
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
