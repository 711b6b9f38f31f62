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

/** Names the options that a script takes: all, or of many only those that share a word with the unknown one. */
function describeKnown(unknown: string, known: readonly string[]): string {
  if (known.length === 0) return "this script takes none";
  if (known.length <= 20) return `known options: ${known.join(", ")}`;
  const words = unknown.split("-");
  const similar = known.filter((name) => name.split("-").some((word) => word.length > 2 && words.includes(word)));
  return similar.length === 0
    ? `none of the ${known.length} known options is similar`
    : `similar options: ${similar.slice(0, 20).join(", ")}`;
}
