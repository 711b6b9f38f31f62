import type { LostRequest } from "../../judge/exchange.js";
import type { RequestAbout } from "../http/no-answer-error.js";
import type { CheckRun } from "./run-steps.js";

/**
 * The writes that got no response from a server that answers other requests. Each may have been carried out, so none is sent again, and
 * one alone may have been lost by chance.
 */
export interface LostWrites {
  /** Notes that a write of a check was lost. Returns whether its operation is to blame. */
  readonly note: (check: string, run: CheckRun, lost: LostRequest) => boolean;
  /** The check that lost the only request of its operation, if no other operation lost any. */
  readonly single: () => { readonly check: string; readonly run: CheckRun } | undefined;
  readonly noteAnswer: (about: RequestAbout) => void;
  /** Notes that the server closes connections by chance. */
  readonly noteFlicker: () => void;
}

/** How many writes of an operation in a row get no response before the operation is to blame. */
export const maxLostWrites = 2;

/** Creates the record of a run. */
export function createLostWrites(): LostWrites {
  /** By operation, since its last response. */
  const lost = new Map<string, { readonly count: number; readonly check: string; readonly run: CheckRun }>();
  const answering = new Set<string>();
  let hasFlickered = false;
  return {
    note: (check, run, { operation, request }) => {
      const name = operation ?? request;
      const count = (lost.get(name)?.count ?? 0) + 1;
      lost.set(name, { count, check, run });
      return count >= maxLostWrites && !hasFlickered;
    },
    single: () => {
      const [only, ...others] = lost;
      if (only === undefined || others.length > 0 || hasFlickered) return undefined;
      const [operation, { count, ...about }] = only;
      return count === 1 && !answering.has(operation) ? about : undefined;
    },
    noteAnswer: ({ operation }) => {
      if (operation === undefined) return;
      answering.add(operation);
      if (lost.delete(operation)) hasFlickered = true;
    },
    noteFlicker: () => {
      hasFlickered = true;
    },
  };
}
