/** The minimum similarity of a suggestion, from 0 to 1. */
const minSimilarity = 0.5;

/**
 * Suggests the names that are most similar to another: at most three, the most similar first. Measures how many pairs of neighbouring
 * characters they share (Dice's coefficient), regardless of case.
 */
export function nearestNames(name: string, names: readonly string[]): string[] {
  const pairs = pairsOf(name);
  return names
    .map((candidate) => ({ candidate, similarity: similarity(pairs, pairsOf(candidate)) }))
    .filter((found) => found.similarity >= minSimilarity)
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

function pairsOf(name: string): ReadonlySet<string> {
  const folded = name.toLowerCase();
  return new Set(Array.from({ length: Math.max(folded.length - 1, 0) }, (_, index) => folded.slice(index, index + 2)));
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared++;
  return a.size + b.size === 0 ? 0 : (2 * shared) / (a.size + b.size);
}
