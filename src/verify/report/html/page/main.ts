import { all, byId } from "./dom.js";
import { applyFilters, clearFilters, search, toggleChip } from "./filter.js";
import { unfoldForPrinting } from "./folding.js";
import { moveByKey, showStatusOfCells } from "./map.js";

// The behaviour of the HTML report when scripts run: search, filters, links into folded parts, keys in the map,
// copying.

/** Shows the target of the address, even if it is folded or filtered away. */
function showTarget(): void {
  const target = byId(decodeHash());
  if (target === null) return;
  if (target.closest("[hidden]") !== null) clearFilters();
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

async function copy(button: HTMLButtonElement): Promise<void> {
  const text = button.parentElement?.querySelector("pre");
  if (!text) return;
  const label = "Copy";
  try {
    await navigator.clipboard.writeText(text.textContent ?? "");
    button.textContent = "Copied";
  } catch {
    // Without access to the clipboard, at least select the text, so that the user can copy it.
    getSelection()?.selectAllChildren(text);
    button.textContent = "Selected";
  }
  setTimeout(() => {
    button.textContent = label;
  }, 2000);
}

function handleClick({ target }: MouseEvent): void {
  if (!(target instanceof Element)) return;
  const chip = target.closest<HTMLButtonElement>(".chip");
  const button = target.closest<HTMLButtonElement>(".copy");
  const link = target.closest<HTMLAnchorElement>('a[href^="#"]');
  if (chip) toggleChip(chip);
  if (button) void copy(button);
  // Following the same link again does not change the address.
  if (link && link.hash === location.hash) showTarget();
}

function handleKey(event: KeyboardEvent): void {
  const target = event.target instanceof Element ? event.target : undefined;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/" && !target?.closest("input")) {
    event.preventDefault();
    search.focus();
  }
  if (event.key === "Escape" && target === search) clearFilters();
  const cell = target?.closest<HTMLAnchorElement>("#map .cell");
  if (cell && moveByKey(cell, event.key)) event.preventDefault();
}

for (const element of all("#toolbar,#states,#map-status,.copy")) element.hidden = false;
byId("toolbar")?.addEventListener("submit", (event) => event.preventDefault());
search.addEventListener("input", applyFilters);
byId("reset")?.addEventListener("click", () => {
  clearFilters();
  search.focus();
});
document.addEventListener("click", handleClick);
document.addEventListener("keydown", handleKey);
addEventListener("hashchange", showTarget);
showStatusOfCells();
unfoldForPrinting();
// A browser that goes back restores the text of the search field.
applyFilters();
showTarget();
