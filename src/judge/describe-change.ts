import { type Compared, findChange } from "../contract/rest/read-back.js";
import type { Mask } from "./excerpt.js";
import { createQuoter } from "./quote.js";

/** Describes what a refused request changed, as a sentence; undefined if nothing changed. */
export function describeChange(
  caller: string,
  before: unknown,
  after: unknown,
  compared: Compared,
  mask: Mask,
): string | undefined {
  const change = findChange(before, after, compared);
  if (change === undefined) return undefined;
  const quote = createQuoter(mask);
  const values = `${quote(change.before)} before the request and ${quote(change.after)} after it`;
  return `the request was refused, but it changed what ${caller} reads: ${change.pointer} was ${values}`;
}
