import type { Coverage, CoverageItem, Provoked } from "../../report/model/coverage.js";

/** Counts the parts of a contract that traffic shows. */
export interface CoverageCounter {
  readonly exchange: () => void;
  /** Counts an item of a section, by the name of its operation if it belongs to one. Ignores items that were not announced. */
  readonly count: (title: string, name: string, operation?: string) => void;
  readonly notJudged: (reason: string) => void;
  /** Counts a refusal that no finding explains. */
  readonly refused: (operation: string, describe: () => string) => void;
  /** Watches what clients do after provoked responses. */
  readonly reaction: (request: ReactionRequest) => void;
  readonly result: () => Coverage;
}

/** How many different reasons are counted. */
const maxReasons = 20;

/** Creates a counter of the items of each section. */
export function createCoverageCounter(
  expected: Readonly<Record<string, readonly Omit<CoverageItem, "count">[]>>,
): CoverageCounter {
  const keyOf = (title: string, name: string, operation = "") => `${title} ${operation} ${name}`;
  const items = new Map<string, CoverageItem & { count: number }>();
  for (const [title, all] of Object.entries(expected))
    for (const item of all) items.set(keyOf(title, item.name, item.operation), { ...item, count: 0 });
  const reasons = new Map<string, number>();
  const refusals = new Map<string, { count: number; readonly first: string }>();
  const reactions = createReactions();
  let exchanges = 0;
  return {
    exchange: () => {
      exchanges++;
    },
    count: (title, name, operation) => {
      const item = items.get(keyOf(title, name, operation));
      if (item !== undefined) item.count++;
    },
    notJudged: (reason) => {
      const key = reasons.has(reason) || reasons.size < maxReasons ? reason : "other reasons";
      reasons.set(key, (reasons.get(key) ?? 0) + 1);
    },
    refused: (operation, describe) => {
      const known = refusals.get(operation);
      if (known === undefined) refusals.set(operation, { count: 1, first: describe() });
      else known.count++;
    },
    reaction: reactions.observe,
    result: () => ({
      exchanges,
      sections: Object.entries(expected).map(([title, all]) => ({
        title,
        items: all.map((one) => ({ count: 0, ...one, ...items.get(keyOf(title, one.name, one.operation)) })),
      })),
      notJudged: [...reasons].map(([reason, count]) => ({ reason, count })),
      ...(refusals.size === 0 ? {} : { refusals: [...refusals].map(([operation, one]) => ({ operation, ...one })) }),
      provoked: reactions.result(),
    }),
  };
}

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
export const maxCallers = 1_000;

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
