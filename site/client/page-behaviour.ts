import { copyText } from "./copy-text.js";

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

/** Shows the buttons that copy a link. They are hidden until then, because they need a script. */
export function showCopyButtons(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-copy]")) button.hidden = false;
}

/** Copies the link of the button that was clicked, if one was, and marks the button for a moment. */
export async function copyLink(event: Event): Promise<void> {
  const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>("button[data-copy]") : null;
  if (button === null) return;
  const address = new URL(button.dataset.copy ?? "", location.href);
  button.dataset.copied = (await copyText(address.href)) ? "yes" : "no";
  setTimeout(() => delete button.dataset.copied, 1_500);
}

const storedLanguage = "accord-sample-language";

/** Shows all samples of the page in the language that was chosen last. */
export function showChosenLanguage(root: ParentNode): void {
  const language = readLanguage();
  if (language !== null) chooseLanguage(root, language);
}

/** The language that was chosen last. Browsers that keep nothing for a site throw on access. */
function readLanguage(): string | null {
  try {
    return localStorage.getItem(storedLanguage);
  } catch {
    return null;
  }
}

/** Remembers the language of a sample that the user chooses, and shows the other samples in it. */
export function followLanguage(root: ParentNode, event: Event): void {
  const input = event.target;
  if (!(input instanceof HTMLInputElement) || input.closest(".samples") === null) return;
  try {
    localStorage.setItem(storedLanguage, input.value);
  } catch {
    // Then the next page begins with the first language.
  }
  const before = input.getBoundingClientRect().top;
  chooseLanguage(root, input.value);
  // Keeps the chosen sample in place even if samples above it change their length.
  window.scrollBy(0, input.getBoundingClientRect().top - before);
}

function chooseLanguage(root: ParentNode, language: string): void {
  for (const input of root.querySelectorAll<HTMLInputElement>(".samples input")) {
    if (input.value === language) input.checked = true;
  }
}
