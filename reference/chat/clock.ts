import type { Realm } from "./storage/tables.js";

/** Source of the current time. Tests inject their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The time in an organization, in UNIX seconds. Provider states move the clock of one organization without touching others. */
export function secondsNow(clock: Clock, realm: Pick<Realm, "clock_offset_seconds">): number {
  return Math.floor(clock.now() / 1000) + realm.clock_offset_seconds;
}
