/** Ends a run some of whose checks may never go on. */
export interface EmergencyStop {
  /** Aborts the run. */
  readonly signal: AbortSignal;
  readonly pull: () => void;
  /** Waits for work, but not for ever once the run was ended. */
  readonly orLost: (work: Promise<unknown>) => Promise<unknown>;
}

/** The time until a check that was just ended is reported, and until all others are given up, in milliseconds. */
const [reportedAfterMs, lostAfterMs] = [1_000, 10_000];

/** Creates the emergency stop of a run. */
export function createEmergencyStop(): EmergencyStop {
  const stop = new AbortController();
  let giveUp = () => {};
  const lost = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  return {
    signal: stop.signal,
    pull: () => {
      setTimeout(() => stop.abort(), reportedAfterMs);
      setTimeout(giveUp, lostAfterMs);
    },
    orLost: (work) => Promise.race([work, lost]),
  };
}
