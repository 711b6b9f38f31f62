/** Sections with more results than this stay folded. */
const maxUnfolded = 150;
/** More matching failures than this stay folded. */
const maxOpenCards = 2;

/** The elements that match a selector, in document order. */
export function all<E extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): E[] {
  return [...within.querySelectorAll<E>(selector)];
}

export const search = document.querySelector("#search") as HTMLInputElement;
const [found, reset, nothing] = all("#found,#reset,#nothing");
const chips = all<HTMLButtonElement>(".chip");
const groups = all<HTMLDetailsElement>("[data-group]").reverse();
const cards = all<HTMLDetailsElement>(".card[data-check]");
const initiallyOpen = new Set(all<HTMLDetailsElement>("details[open]"));

/** Something that is found by its text, and the elements that show it. */
interface Item {
  readonly places: HTMLElement[];
  /** A verdict or state; undefined for an entry of the known-failing list that matches no check. */
  readonly value: string | undefined;
  text: string;
}

const entries = all("[data-entry]").map((place): Item => ({ places: [place], value: "stale", text: textOf(place) }));
const rules = all("[data-rule]").map((place) => {
  const own = all(".id,.text", place).map(textOf).join(" ");
  return { places: [place], value: place.dataset.state, own, text: own, checks: [] as Item[] };
});
const ruleAt = new Map(rules.map((rule) => [rule.places[0]?.dataset.rule, rule]));
const checks = all("#checks li").map(
  (place): Item => ({ places: [place], value: place.dataset.verdict, text: textOf(place) }),
);
for (const card of cards) {
  const check = checks[Number(card.dataset.check)];
  check?.places.push(card);
  if (check) check.text += all(".problems,.help,.reason", card).map(textOf).join(" ");
}
// A check is also found by the texts of its rules, and a rule by the ids of its checks.
for (const check of checks) {
  const [line] = check.places;
  const ofCheck = (line?.dataset.rules ?? "").split(" ").flatMap((index) => ruleAt.get(index) ?? []);
  for (const rule of ofCheck) {
    rule.checks.push(check);
    rule.text += ` ${all(".id", line).map(textOf).join("")}`;
    check.text += ` ${rule.own}`;
  }
}

/** Shows the checks, rules and entries that match the search and the filters, and hides the others. */
export function applyFilters(): void {
  const words = normalize(search.value).split(/\s+/).filter(Boolean);
  const [verdicts, states] = [chosen("verdict"), chosen("state")];
  const isFiltered = words.length + verdicts.size + states.size > 0;
  const allows = (filter: ReadonlySet<unknown>, { value }: Item) => filter.size === 0 || filter.has(value);
  const show = <One extends Item>(items: readonly One[], matches: (item: One) => boolean) => {
    const shown = items.filter((item) => words.every((word) => item.text.includes(word)) && matches(item));
    const visible = new Set<Item>(shown);
    for (const item of items) for (const place of item.places) place.hidden = !visible.has(item);
    return shown.length;
  };
  const checkCount = show(checks, (check) => allows(verdicts, check));
  const entryCount = show(entries, (entry) => allows(verdicts, entry));
  const ruleCount = show(
    rules,
    (rule) => allows(states, rule) && (verdicts.size === 0 || rule.checks.some((check) => allows(verdicts, check))),
  );
  foldGroups(isFiltered, states.size > 0);
  const counts = [
    [ruleCount, rules.length, "rules"],
    [checkCount, checks.length, "checks"],
  ].map(([count, total, name]) => `${count?.toLocaleString("en")} of ${total?.toLocaleString("en")} ${name}`);
  if (found) found.textContent = isFiltered ? counts.join(", ") : "";
  if (reset) reset.hidden = !isFiltered;
  if (nothing) nothing.hidden = checkCount + ruleCount + entryCount > 0 || !isFiltered;
}

export function clearFilters(): void {
  search.value = "";
  for (const chip of chips) chip.ariaPressed = "false";
  applyFilters();
}

/**
 * Hides the groups without results, inner ones first, and opens the others of a section if its results are few. The rules contain the
 * switches of their own filter, which must stay accessible. Without a filter, restores the initial state.
 */
function foldGroups(isFiltered: boolean, keepsRules: boolean): void {
  const results = "[data-check]:not([hidden]),[data-rule]:not([hidden]),[data-entry]:not([hidden])";
  const few = new Map(all("main > section").map((one) => [one, one.querySelectorAll(results).length <= maxUnfolded]));
  for (const group of groups) {
    group.hidden = isFiltered && !(keepsRules && group.id === "rules") && group.querySelector(results) === null;
    const section = group.closest("section");
    group.open = isFiltered ? section !== null && few.get(section) === true : initiallyOpen.has(group);
  }
  const open = cards.filter((card) => !card.hidden).length <= maxOpenCards;
  for (const card of cards) card.open = isFiltered ? open : initiallyOpen.has(card);
}

function chosen(filter: string): ReadonlySet<string | undefined> {
  const pressed = chips.filter((chip) => chip.dataset.filter === filter && chip.ariaPressed === "true");
  return new Set(pressed.map((chip) => chip.dataset.value));
}

function textOf({ textContent }: Element): string {
  return normalize(textContent ?? "");
}

/** Backticks mark code in sentences; the page does not show them. */
function normalize(text: string): string {
  return text.normalize("NFC").toLowerCase().replaceAll("`", "");
}
