import { nearestNames } from "../src/contract/nearest-names.js";

/**
 * Runs a script with its command-line options. An error is printed to stderr as one message without a stack trace, and sets exit code 1.
 * An option outside `known` is an error, so that a misspelt option is never ignored.
 */
export async function runScript(
  work: (options: ReadonlySet<string>) => Promise<void>,
  known: readonly string[] = [],
): Promise<void> {
  try {
    const given = process.argv.slice(2);
    const unknown = given.find((option) => !known.includes(option));
    if (unknown !== undefined) {
      throw new Error(`unknown option ${unknown}; ${describeKnown(unknown, known)}`);
    }
    await work(new Set(given));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

/** Suggests similar options. If none is similar, lists all options, unless they are too many to read. */
function describeKnown(unknown: string, known: readonly string[]): string {
  if (known.length === 0) return "this script takes none";
  const similar = nearestNames(unknown, known);
  if (similar.length > 0) return `did you mean ${similar.join(" or ")}?`;
  return known.length <= 20
    ? `known options: ${known.join(", ")}`
    : `none of the ${known.length} known names is similar`;
}
