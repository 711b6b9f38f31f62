import { visibleLine } from "./visible-text.js";

/** The first of some names, and how many there are beside: `a`, `a, b and 7 more`. Each can be shown within a line. */
export function nameSome(names: readonly string[], most = 3): string {
  const first = names.slice(0, most).map(visibleLine).join(", ");
  return names.length > most ? `${first} and ${(names.length - most).toLocaleString("en-US")} more` : first;
}
