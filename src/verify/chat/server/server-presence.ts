import { maxUnanswered } from "../../server-down.js";

/** Tracks whether the server still responds, across checks of all kinds. */
export interface ServerPresence {
  /** Records whether a check got a response. */
  readonly note: (isAnswered: boolean) => void;
  /** Whether so many consecutive checks got no response that no more are sent. */
  readonly isGone: boolean;
  /** Aborts once the server is gone. */
  readonly signal: AbortSignal;
}

/** Creates a tracker of one server's presence for one run. */
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
