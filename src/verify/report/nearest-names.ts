/** How alike two names must be, from 0 to 1, for one to be meant by the other. */
const alike = 0.5;

/**
 * The names that are most like another, at most three, the nearest first. Names are alike when they share pairs of neighbouring
 * characters (Dice's coefficient); case does not matter.
 */
export function nearestNames(name: string, names: readonly string[]): string[] {
  const pairs = pairsOf(name);
  return names
    .map((candidate) => ({ candidate, likeness: likeness(pairs, pairsOf(candidate)) }))
    .filter((found) => found.likeness >= alike)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

function pairsOf(name: string): ReadonlySet<string> {
  const folded = name.toLowerCase();
  return new Set(Array.from({ length: Math.max(folded.length - 1, 0) }, (_, index) => folded.slice(index, index + 2)));
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared++;
  return a.size + b.size === 0 ? 0 : (2 * shared) / (a.size + b.size);
}
