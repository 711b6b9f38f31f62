import { visibleLine } from "./visible-text.js";

/** Formats a number with separators: `1,024`. */
export function countOf(count: number): string {
  return count.toLocaleString("en-US");
}

/** Formats a number with the noun that it counts: `1 rule`, `2 rules`, `1,024 checks`. */
export function pluralize(count: number, singular: string, plural = `${singular}s`): string {
  return `${countOf(count)} ${count === 1 ? singular : plural}`;
}

/** Lists the first names and the number of the others: `a`, `a, b and 7 more`. The result is safe to show in one line. */
export function abbreviateList(names: readonly string[], maxNames = 3): string {
  const first = names.slice(0, maxNames).map(visibleLine).join(", ");
  return names.length > maxNames ? `${first} and ${countOf(names.length - maxNames)} more` : first;
}

/** Lists the ids of checks in the same way. */
export function abbreviateIds(checks: readonly { readonly id: string }[], maxIds?: number): string {
  return abbreviateList(
    checks.map(({ id }) => id),
    maxIds,
  );
}

/** Formats each of the first items, and all others together if there are any. */
export function formatFirst<Item, Formatted>(
  items: readonly Item[],
  max: number,
  format: (item: Item) => Formatted,
  formatRest: (rest: readonly Item[]) => Formatted,
): Formatted[] {
  const first = items.slice(0, max).map(format);
  return items.length > max ? [...first, formatRest(items.slice(max))] : first;
}

/** Formats a duration in readable units: `12 ms`, `3.4 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 100) / 10;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
