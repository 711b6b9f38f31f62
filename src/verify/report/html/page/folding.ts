import { all, byId } from "./dom.js";

/** Sections with more results than this stay folded. */
const maxUnfolded = 150;

const initiallyOpen = new Set(all<HTMLDetailsElement>("details[open]"));

/** Opens the groups of a section that have results, if they are few. Without a filter, restores the initial state. */
export function unfold(section: string, isFiltered: boolean, results: number): void {
  for (const details of all<HTMLDetailsElement>(`${section} details[data-group]`)) {
    details.open = isFiltered ? results <= maxUnfolded && !details.hidden : initiallyOpen.has(details);
  }
}

/** Does the same with the groups of failures, and opens the failures themselves if at most two match. */
export function unfoldFailures(isFiltered: boolean): void {
  const cards = all<HTMLDetailsElement>("#failures .card[data-check]");
  const results = cards.filter((card) => !card.hidden).length;
  unfold("#failures", isFiltered, results);
  // Above a few results, the counts of whole groups would mislead.
  byId("failures")?.classList.toggle("found-few", isFiltered && results <= maxUnfolded);
  for (const card of cards) card.open = isFiltered ? results <= 2 : initiallyOpen.has(card);
}

/** Opens all failures of the run while the page is printed. */
export function unfoldForPrinting(): void {
  const opened = new Set<HTMLDetailsElement>();
  addEventListener("beforeprint", () => {
    for (const details of all<HTMLDetailsElement>("#failures details:not([open],.earlier)")) {
      details.open = true;
      opened.add(details);
    }
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
    opened.clear();
  });
}
