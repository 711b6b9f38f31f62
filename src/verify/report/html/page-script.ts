import type { PageData } from "./page-data.js";

/**
 * What the page does when scripts run: search, filters, links into folded parts, moving in the map by keys, copying. It runs in a browser
 * as its source text, so it uses nothing from outside itself.
 */
function runPage(): void {
  const data: PageData = JSON.parse(document.getElementById("data")?.textContent ?? "");
  const all = <E extends HTMLElement>(selector: string, within: ParentNode = document) => [
    ...within.querySelectorAll<E>(selector),
  ];
  const byId = (id: string) => document.getElementById(id);
  const search = byId("search") as HTMLInputElement;
  const [found, reset, status, nothing] = [byId("found"), byId("reset"), byId("map-status"), byId("nothing")];
  const chips = all<HTMLButtonElement>(".chip");
  const checkElements = all("[data-check]");
  const ruleElements = all("[data-rule]");
  const groups = all("[data-group]").reverse();
  const openAtFirst = new Map(all<HTMLDetailsElement>("details").map((details) => [details, details.open]));
  // Backticks mark code in sentences; the page does not show them.
  const normalize = (text: string) => text.normalize("NFC").toLowerCase().replaceAll("`", "");
  const rulesText = data.rules.map(({ id, text }) => normalize(`${id} ${text}`));
  const checksText = data.checks.map(({ id, summary, rules }) =>
    [normalize(`${id} ${summary}`), ...rules.map((rule) => rulesText[rule] ?? "")].join(" "),
  );
  // What went wrong stands in the page once, and is not repeated in its data.
  for (const element of all("[data-check]:not(.cell)")) {
    const parts = all(".problems li,.help,.reason,.why", element).map((part) => normalize(part.textContent ?? ""));
    const index = Number(element.dataset.check);
    if (parts.length > 0) checksText[index] = [checksText[index], ...parts].join(" ");
  }
  const entries = all("[data-entry]").map((element) => ({ element, text: normalize(element.textContent ?? "") }));
  const checksOfRule = data.rules.map((): number[] => []);
  for (const [index, { rules }] of data.checks.entries()) for (const rule of rules) checksOfRule[rule]?.push(index);
  /** More than so many results are left folded. */
  const mostUnfolded = 150;

  const chosen = (filter: string) =>
    new Set(
      chips
        .filter((chip) => chip.dataset.filter === filter && chip.ariaPressed === "true")
        .map((chip) => chip.dataset.value),
    );

  function apply(): void {
    const words = normalize(search.value).split(/\s+/).filter(Boolean);
    const [outcomes, kinds, states] = [chosen("verdict"), chosen("kind"), chosen("state")];
    const has = (text: string) => words.every((word) => text.includes(word));
    const isFiltered = outcomes.size + kinds.size > 0;
    const passes = data.checks.map(
      ({ verdict, kind }) => (outcomes.size === 0 || outcomes.has(verdict)) && (kinds.size === 0 || kinds.has(kind)),
    );
    const checkMatches = data.checks.map((_, index) => passes[index] === true && has(checksText[index] ?? ""));
    const ruleMatches = data.rules.map(({ state }, index) => {
      if (states.size > 0 && !states.has(state)) return false;
      const checks = checksOfRule[index] ?? [];
      if (isFiltered && !checks.some((check) => passes[check])) return false;
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
    const isNarrowed = words.length > 0 || isFiltered || states.size > 0;
    show(isNarrowed);
    const [checks, rules] = [checkMatches.filter(Boolean).length, ruleMatches.filter(Boolean).length];
    unfold("#checks", words.length > 0 || isFiltered, checks);
    unfoldFailures(words.length > 0 || isFiltered);
    unfold("#rules", isNarrowed, rules);
    const count = (number: number, total: number, name: string) =>
      `${number.toLocaleString("en")} of ${total.toLocaleString("en")} ${name}`;
    if (found !== null) {
      found.textContent = isNarrowed
        ? `${count(rules, data.rules.length, "rules")}, ${count(checks, data.checks.length, "checks")}`
        : "";
    }
    if (reset !== null) reset.hidden = !isNarrowed;
    const isEmpty = checks + rules === 0 && entries.every(({ element }) => element.hidden);
    if (nothing !== null) nothing.hidden = !isNarrowed || !isEmpty;
    // What it says may be filtered away now.
    if (status !== null) status.textContent = "";
    enter(cells.find((cell) => cell.tabIndex === 0));
  }

  /** Hides the parts in which nothing is left. Inner ones come first. */
  function show(isNarrowed: boolean): void {
    for (const group of groups) {
      group.hidden =
        isNarrowed &&
        group.querySelector("[data-check]:not([hidden],.dim),[data-rule]:not([hidden]),[data-entry]:not([hidden])") ===
          null;
    }
    // The switches of the states stay, or nobody could take them back.
    const rules = byId("rules");
    if (rules !== null && chosen("state").size > 0) rules.hidden = false;
  }

  /** Opens what has results, when they are few. Without a search, all is as it was at first. */
  function unfold(section: string, isNarrowed: boolean, results: number): void {
    for (const details of all<HTMLDetailsElement>(`${section} details[data-group]`)) {
      details.open = isNarrowed ? results <= mostUnfolded && !details.hidden : openAtFirst.get(details) === true;
    }
  }

  /** Opens the groups of failures likewise, and the failures themselves when it is clear which ones are meant. */
  function unfoldFailures(isNarrowed: boolean): void {
    const cards = all<HTMLDetailsElement>("#failures .card[data-check]");
    const results = cards.filter((card) => !card.hidden).length;
    unfold("#failures", isNarrowed, results);
    // A count of all that is in a fold would mislead above the few that were found.
    byId("failures")?.classList.toggle("found-few", isNarrowed && results <= mostUnfolded);
    for (const card of cards) card.open = isNarrowed ? results <= 2 : openAtFirst.get(card) === true;
  }

  function clear(): void {
    search.value = "";
    for (const chip of chips) chip.ariaPressed = "false";
    apply();
  }

  /** Shows what the address points to, wherever it is folded or filtered away. */
  function follow(): void {
    const target = byId(decodeHash());
    if (target === null) return;
    if (target.closest("[hidden]") !== null) clear();
    for (let parent: Element | null = target; parent !== null; parent = parent.parentElement) {
      if (parent instanceof HTMLDetailsElement) parent.open = true;
    }
    target.scrollIntoView({ block: "start" });
    // A <details> takes no focus itself.
    const place = target instanceof HTMLDetailsElement ? target.querySelector("summary") : target;
    place?.focus({ preventScroll: true });
  }

  function decodeHash(): string {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return "";
    }
  }

  const cells = all<HTMLAnchorElement>("#map .cell");

  /** One square of the map is in the order of the tab key; from there the arrows lead on. */
  function enter(from: HTMLAnchorElement | undefined): void {
    const isLit = (cell: HTMLAnchorElement) => !cell.classList.contains("dim");
    const next = from !== undefined && isLit(from) ? from : cells.find(isLit);
    for (const cell of cells) cell.tabIndex = cell === next ? 0 : -1;
  }

  function move(cell: HTMLAnchorElement, key: string): HTMLAnchorElement | undefined {
    const lit = cells.filter((other) => !other.classList.contains("dim"));
    const row = (other: Element) => other.closest("tr");
    const inRow = lit.filter((other) => row(other) === row(cell));
    const at = lit.indexOf(cell);
    const column = inRow.indexOf(cell);
    const leap = (others: HTMLAnchorElement[], first: HTMLAnchorElement | undefined) => {
      if (first === undefined) return undefined;
      const there = others.filter((other) => row(other) === row(first));
      return there[Math.min(column, there.length - 1)];
    };
    switch (key) {
      case "ArrowRight":
        return lit[at + 1];
      case "ArrowLeft":
        return lit[at - 1];
      case "ArrowDown":
        return leap(
          lit,
          lit.slice(at).find((other) => row(other) !== row(cell)),
        );
      case "ArrowUp":
        return leap(
          lit,
          lit.slice(0, Math.max(at, 0)).findLast((other) => row(other) !== row(cell)),
        );
      case "Home":
        return inRow[0];
      case "End":
        return inRow.at(-1);
      default:
        return undefined;
    }
  }

  function tell(event: Event): void {
    const cell = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("#map .cell") : null;
    if (cell === null || status === null) return;
    const check = data.checks[Number(cell.dataset.check)];
    status.textContent = `${cell.ariaLabel ?? ""}. ${check?.summary.replaceAll("`", "") ?? ""}`;
  }

  async function copy(button: HTMLButtonElement): Promise<void> {
    const text = button.parentElement?.querySelector("pre");
    if (!text) return;
    const label = "Copy";
    try {
      await navigator.clipboard.writeText(text.textContent ?? "");
      button.textContent = "Copied";
    } catch {
      // Without leave to write it, the text is at least selected, ready for the keys that copy.
      getSelection()?.selectAllChildren(text);
      button.textContent = "Selected";
    }
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  }

  for (const element of all("#toolbar,#states,#map-status,.copy")) element.hidden = false;
  byId("toolbar")?.addEventListener("submit", (event) => event.preventDefault());
  search.addEventListener("input", apply);
  reset?.addEventListener("click", () => {
    clear();
    search.focus();
  });
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : undefined;
    const chip = target?.closest<HTMLButtonElement>(".chip");
    const button = target?.closest<HTMLButtonElement>(".copy");
    const link = target?.closest<HTMLAnchorElement>('a[href^="#"]');
    if (chip) {
      chip.ariaPressed = chip.ariaPressed === "true" ? "false" : "true";
      apply();
    }
    if (button) void copy(button);
    // The address does not change when it is followed a second time.
    if (link && link.hash === location.hash) follow();
  });
  document.addEventListener("keydown", (event) => {
    const target = event.target instanceof Element ? event.target : undefined;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !target?.closest("input")) {
      event.preventDefault();
      search.focus();
    }
    if (event.key === "Escape" && target === search) clear();
    const cell = target?.closest<HTMLAnchorElement>("#map .cell");
    const next = cell ? move(cell, event.key) : undefined;
    if (next === undefined) return;
    event.preventDefault();
    enter(next);
    next.focus();
  });
  const map = byId("map");
  map?.addEventListener("mouseover", tell);
  map?.addEventListener("focusin", tell);
  addEventListener("hashchange", follow);
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
  // A browser that goes back restores what stood in the field.
  apply();
  follow();
}

/** The script of the page. Compilers that keep the names of functions call `__name` for it. */
export const pageScript = `"use strict";(() => {const __name = (value) => value;(${runPage.toString()})();})();`;
