import type { Provoked } from "../../verify/model/coverage.js";

/** A request as far as reactions need it. */
export interface ReactionRequest {
  readonly startedAt: number;
  readonly endedAt: number;
  /** Identifies the client. */
  readonly caller: string;
  /** Identifies equal requests. */
  readonly request: () => string;
  readonly provoked: readonly string[];
}

/** How many clients are watched at the same time. */
const maxCallers = 1_000;

/** Watches what clients do after provoked responses. */
export function createReactions() {
  const counts = new Map<string, { count: number; repeated: number; wentOn: number }>();
  const pending = new Map<string, ReactionRequest>();
  return {
    observe: (next: ReactionRequest): void => {
      const before = pending.get(next.caller);
      // Requests that were already on their way are not reactions.
      if (before !== undefined && next.startedAt >= before.endedAt) {
        pending.delete(next.caller);
        for (const name of before.provoked) {
          const count = counts.get(name);
          if (count !== undefined) count[next.request() === before.request() ? "repeated" : "wentOn"]++;
        }
      }
      if (next.provoked.length === 0) return;
      for (const name of next.provoked) {
        const count = counts.get(name) ?? { count: 0, repeated: 0, wentOn: 0 };
        count.count++;
        counts.set(name, count);
      }
      pending.set(next.caller, next);
      const [oldest] = pending.keys();
      if (pending.size > maxCallers && oldest !== undefined) pending.delete(oldest);
    },
    result: (): Provoked[] =>
      [...counts].map(([name, all]) => ({ name, ...all, stopped: all.count - all.repeated - all.wentOn })),
  };
}
