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
      throw new Error(
        `unknown option ${unknown}; ${known.length === 0 ? "this script takes none" : `known options: ${known.join(", ")}`}`,
      );
    }
    await work(new Set(given));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
