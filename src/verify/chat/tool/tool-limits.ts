/** How long a tool may take until it runs its first check: it reads the contract. */
export const longestStartMs = 120_000;

/** How much longer than allowed one check may take before the tool is ended. */
export const graceMs = 10_000;

/** How a tool that ran has ended. */
export function endOf(hasBitten: boolean, ended: string): string {
  return hasBitten ? "it took too long and was ended" : `it ended with ${ended}`;
}
