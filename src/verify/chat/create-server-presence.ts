import { maxUnanswered } from "../server-down.js";

/** Whether a server still answers, as the checks of all kinds see it. */
export interface ServerPresence {
  /** A check got an answer, or none. */
  readonly note: (isAnswered: boolean) => void;
  /** After so many checks in a row without an answer the server is taken to be gone, and the others are not sent. */
  readonly isGone: boolean;
  /** Aborted as soon as it is. */
  readonly signal: AbortSignal;
}

/** Makes one for a run. */
export function createServerPresence(): ServerPresence {
  const gone = new AbortController();
  let unanswered = 0;
  return {
    note: (isAnswered) => {
      unanswered = isAnswered ? 0 : unanswered + 1;
      if (unanswered >= maxUnanswered) gone.abort();
    },
    get isGone() {
      return gone.signal.aborted;
    },
    signal: gone.signal,
  };
}
