import { all, applyFilters, clearFilters, search } from "./filter.js";

// The behaviour of the HTML report when scripts run: search, filters, links into folded parts, copying, printing.

/** Shows the target of the address, even if it is folded or filtered away. */
function showTarget(): void {
  const target = document.getElementById(decodeHash());
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
  try {
    await navigator.clipboard.writeText(text.textContent ?? "");
    button.textContent = "Copied";
  } catch {
    // Without access to the clipboard, at least select the text, so that the user can copy it.
    getSelection()?.selectAllChildren(text);
    button.textContent = "Selected";
  }
  setTimeout(() => {
    button.textContent = "Copy";
  }, 2000);
}

function handleClick({ target }: MouseEvent): void {
  if (!(target instanceof Element)) return;
  const chip = target.closest<HTMLButtonElement>(".chip");
  const button = target.closest<HTMLButtonElement>(".copy");
  const link = target.closest<HTMLAnchorElement>('a[href^="#"]');
  if (chip) {
    chip.ariaPressed = chip.ariaPressed === "true" ? "false" : "true";
    applyFilters();
  }
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
}

/** Opens all failures of the run while the page is printed. */
function unfoldForPrinting(): void {
  let opened: readonly HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    opened = all<HTMLDetailsElement>("#failures details:not([open],.earlier)");
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
  });
}

for (const element of all("#toolbar,#states,.copy")) element.hidden = false;
document.getElementById("toolbar")?.addEventListener("submit", (event) => event.preventDefault());
search.addEventListener("input", applyFilters);
document.getElementById("reset")?.addEventListener("click", () => {
  clearFilters();
  search.focus();
});
document.addEventListener("click", handleClick);
document.addEventListener("keydown", handleKey);
addEventListener("hashchange", showTarget);
unfoldForPrinting();
// A browser that goes back restores the text of the search field.
applyFilters();
showTarget();
