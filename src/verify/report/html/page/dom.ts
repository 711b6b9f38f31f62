export function byId(id: string): HTMLElement | null {
  return document.getElementById(id);
}

/** The elements that match a selector, in document order. */
export function all<E extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): E[] {
  return [...within.querySelectorAll<E>(selector)];
}

/** The text of the elements that match a selector, as the search compares it. */
export function textOf(selector: string, within: ParentNode = document): string {
  return all(selector, within)
    .map(({ textContent }) => normalize(textContent ?? ""))
    .join(" ");
}

/** Backticks mark code in sentences; the page does not show them. */
export function normalize(text: string): string {
  return text.normalize("NFC").toLowerCase().replaceAll("`", "");
}
