import { all, byId, data } from "./dom.js";
import { unfold, unfoldFailures } from "./folding.js";
import { refreshMap } from "./map.js";

export const search = byId("search") as HTMLInputElement;
const [found, reset, nothing] = [byId("found"), byId("reset"), byId("nothing")];
const chips = all<HTMLButtonElement>(".chip");
const checkElements = all("[data-check]");
const ruleElements = all("[data-rule]");
const groups = all("[data-group]").reverse();

const rulesText = data.rules.map(({ id, text }) => normalize(`${id} ${text}`));
const checksText = data.checks.map(({ id, summary, rules }) =>
  [normalize(`${id} ${summary}`), ...rules.map((rule) => rulesText[rule] ?? "")].join(" "),
);
// The page contains the problems once, as markup; its data does not repeat them.
for (const element of all("[data-check]:not(.cell)")) {
  const parts = all(".problems li,.help,.reason,.why", element).map((part) => normalize(part.textContent ?? ""));
  const index = Number(element.dataset.check);
  if (parts.length > 0) checksText[index] = [checksText[index], ...parts].join(" ");
}
const entries = all("[data-entry]").map((element) => ({ element, text: normalize(element.textContent ?? "") }));
const checksOfRule = data.rules.map((): number[] => []);
for (const [index, { rules }] of data.checks.entries()) for (const rule of rules) checksOfRule[rule]?.push(index);

/** Shows the checks, rules and entries that match the search and the filters, and hides the others. */
export function applyFilters(): void {
  const words = normalize(search.value).split(/\s+/).filter(Boolean);
  const [outcomes, kinds, states] = [chosen("verdict"), chosen("kind"), chosen("state")];
  const has = (text: string) => words.every((word) => text.includes(word));
  const hasCheckFilter = outcomes.size + kinds.size > 0;
  const passes = data.checks.map(
    ({ verdict, kind }) => (outcomes.size === 0 || outcomes.has(verdict)) && (kinds.size === 0 || kinds.has(kind)),
  );
  const checkMatches = data.checks.map((_, index) => passes[index] === true && has(checksText[index] ?? ""));
  const ruleMatches = data.rules.map(({ state }, index) => {
    if (states.size > 0 && !states.has(state)) return false;
    const checks = checksOfRule[index] ?? [];
    if (hasCheckFilter && !checks.some((check) => passes[check])) return false;
    return has([rulesText[index], ...checks.map((check) => normalize(data.checks[check]?.id ?? ""))].join(" "));
  });
  for (const element of checkElements) {
    const matches = checkMatches[Number(element.dataset.check)] === true;
    if (element.classList.contains("cell")) element.classList.toggle("dim", !matches);
    else element.hidden = !matches;
  }
  for (const element of ruleElements) element.hidden = ruleMatches[Number(element.dataset.rule)] !== true;
  for (const { element, text } of entries) {
    element.hidden = !has(text) || kinds.size > 0 || (outcomes.size > 0 && !outcomes.has("stale"));
  }
  const isFiltered = words.length > 0 || hasCheckFilter || states.size > 0;
  hideEmptyGroups(isFiltered);
  const [checks, rules] = [checkMatches.filter(Boolean).length, ruleMatches.filter(Boolean).length];
  unfold("#checks", words.length > 0 || hasCheckFilter, checks);
  unfoldFailures(words.length > 0 || hasCheckFilter);
  unfold("#rules", isFiltered, rules);
  showCounts(isFiltered, checks, rules);
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

/** Backticks mark code in sentences; the page does not show them. */
function normalize(text: string): string {
  return text.normalize("NFC").toLowerCase().replaceAll("`", "");
}

function chosen(filter: string): ReadonlySet<string | undefined> {
  const pressed = chips.filter((chip) => chip.dataset.filter === filter && chip.ariaPressed === "true");
  return new Set(pressed.map((chip) => chip.dataset.value));
}

/** Hides the groups without results, inner ones first. */
function hideEmptyGroups(isFiltered: boolean): void {
  const results = "[data-check]:not([hidden],.dim),[data-rule]:not([hidden]),[data-entry]:not([hidden])";
  for (const group of groups) group.hidden = isFiltered && group.querySelector(results) === null;
  // The section contains the switches of its own filter, which must stay accessible.
  const rules = byId("rules");
  if (rules !== null && chosen("state").size > 0) rules.hidden = false;
}

function showCounts(isFiltered: boolean, checks: number, rules: number): void {
  const count = (number: number, total: number, name: string) =>
    `${number.toLocaleString("en")} of ${total.toLocaleString("en")} ${name}`;
  if (found !== null) {
    found.textContent = isFiltered
      ? `${count(rules, data.rules.length, "rules")}, ${count(checks, data.checks.length, "checks")}`
      : "";
  }
  if (reset !== null) reset.hidden = !isFiltered;
  const isEmpty = checks + rules === 0 && entries.every(({ element }) => element.hidden);
  if (nothing !== null) nothing.hidden = !isFiltered || !isEmpty;
}
