import { createReactions, type Provoked, type ReactionRequest } from "./create-reactions.js";

/** The parts of a contract that occurred in traffic, and those that never did. */
export interface Coverage {
  /** The number of exchanges, judged or not. */
  readonly exchanges: number;
  readonly sections: readonly CoverageSection[];
  /** Exchanges that were not judged, in whole or in part, by reason. */
  readonly notJudged: readonly { readonly reason: string; readonly count: number }[];
  /**
   * Refusals that no finding explains, by operation, so that a person can check whether the client intended them.
   * Omitted if there are none.
   */
  readonly refusals?: readonly UnexplainedRefusals[];
  /** The responses that the proxy made or changed, by kind of change. */
  readonly provoked: readonly Provoked[];
}

/** The refusals of an operation. */
export interface UnexplainedRefusals {
  readonly operation: string;
  readonly count: number;
  /** The first of them: status, code and message, with secrets masked. */
  readonly first: string;
}

/** The items of one kind, such as operations. */
export interface CoverageSection {
  /** The plural noun for the items, such as `operations`. */
  readonly title: string;
  readonly items: readonly CoverageItem[];
}

/** Something that traffic can show. */
export interface CoverageItem {
  readonly name: string;
  /** The operation that it belongs to, if it is a part of one. */
  readonly operation?: string;
  /** In how many exchanges it occurred. */
  readonly count: number;
}

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
