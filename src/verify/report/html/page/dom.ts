import type { PageData } from "../page-data.js";

/** The data that the report embeds beside its markup. */
export const data: PageData = JSON.parse(byId("data")?.textContent ?? "");

export function byId(id: string): HTMLElement | null {
  return document.getElementById(id);
}

/** The elements that match a selector, in document order. */
export function all<E extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): E[] {
  return [...within.querySelectorAll<E>(selector)];
}
