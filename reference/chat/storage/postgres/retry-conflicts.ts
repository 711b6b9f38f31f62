import { setTimeout as wait } from "node:timers/promises";

/** Maximum attempts of a transaction that conflicts with others. */
const maxAttempts = 12;
/** Maximum delay before the second attempt. It doubles with each attempt, up to `maxDelayMs`. */
const firstDelayMs = 4;
const maxDelayMs = 200;

/**
 * The transaction could not be serialized (40001), waited in a cycle (40P01), or inserted a row at the same time as another one that
 * inserted the same row (23505). In the last case, a second attempt finds that row.
 */
const conflicts: ReadonlySet<unknown> = new Set(["40001", "40P01", "23505"]);

/** Whether a transaction failed because of what other transactions did at the same time. */
export function isConflict(error: unknown): boolean {
  return conflicts.has((error as { code?: unknown } | undefined)?.code);
}

/** Runs a transaction again if it conflicts with others, after a random delay. Rejects with the last conflict. */
export async function retryConflicts<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isConflict(error) || attempt >= maxAttempts) throw error;
      await wait(Math.random() * Math.min(firstDelayMs * 2 ** (attempt - 1), maxDelayMs));
    }
  }
}
