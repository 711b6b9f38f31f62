/**
 * Runs the work of a script with the options that it was given. A failure becomes one plain message on stderr and exit code 1,
 * without a stack trace; an option that is not among `known` is a failure, so that a misspelt one never passes for none.
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
        `unknown option ${unknown}; ${known.length === 0 ? "there are none" : `there is ${known.join(", ")}`}`,
      );
    }
    await work(new Set(given));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
