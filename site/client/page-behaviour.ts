/** Unfolds everything around the target of the address, and scrolls to it. Returns whether the page shows the target. */
export function revealTarget(hash: string): boolean {
  const id = decodeHash(hash);
  if (id === "") return true;
  const target = document.getElementById(id);
  if (target === null) return false;
  if (target.closest("[hidden]") !== null) return false;
  let isFolded = false;
  for (let at: Element | null = target; at !== null; at = at.parentElement) {
    if (!(at instanceof HTMLDetailsElement) || at.open) continue;
    at.open = true;
    isFolded = true;
  }
  if (isFolded) requestAnimationFrame(() => target.scrollIntoView());
  return true;
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return "";
  }
}

/** The language of samples that the reader chose last. */
let language: string | undefined;

/** Shows the samples of a page in the language that the reader chose last. */
export function showChosenLanguage(root: ParentNode): void {
  for (const input of root.querySelectorAll<HTMLInputElement>(".samples input")) {
    if (input.value === language) input.checked = true;
  }
}

/** Shows all samples of the page in the language that the reader chooses for one. */
export function followLanguage(root: ParentNode, { target }: Event): void {
  if (!(target instanceof HTMLInputElement) || target.closest(".samples") === null) return;
  language = target.value;
  const before = target.getBoundingClientRect().top;
  showChosenLanguage(root);
  // Keeps the chosen sample in place even if samples above it change their length.
  window.scrollBy(0, target.getBoundingClientRect().top - before);
}
