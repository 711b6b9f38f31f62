import type { Services } from "../services.js";
import { createRetries, deliverDue, nextDue } from "./deliver-due.js";

/** Delivers what falls due, and does the housekeeping. */
export interface Scheduler {
  /** Looks for what is due next: at the start, and after something was added or the clock of an organization was moved. */
  readonly reschedule: () => void;
  /** Delivers nothing any more. Resolves when the housekeeping that is under way has stopped. */
  readonly close: () => Promise<void>;
}

/** What a scheduler works with. */
export interface SchedulerOptions extends Pick<Services, "database" | "clock"> {
  /** Done within a minute of the start, and then every hour. It is to stop when the signal is aborted. */
  readonly housekeeping?: (signal: AbortSignal) => void | Promise<void>;
  /** Told of a delivery, or of housekeeping, that failed. A delivery is tried again a minute later. */
  readonly onFault: (error: unknown) => void;
}

/** The machine may sleep, and its clock may be set: the timer never waits for longer. */
const longestDelayMs = 60_000;
const delayAfterFaultMs = 60_000;
const housekeepingEveryMs = 60 * 60 * 1000;
/** Deliveries without a break for requests. */
const mostAtOnce = 20;

/** Makes a scheduler with one timer, for what is due next in any organization. It starts with the first `reschedule`. */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { database, clock, housekeeping, onFault } = options;
  const retries = createRetries(clock, delayAfterFaultMs);
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  /** When the timer runs out. */
  let nextRun = Number.POSITIVE_INFINITY;
  /** Nothing is delivered before. */
  let pausedUntil = 0;
  let housekeepingAt = 0;
  let cleaning: Promise<void> | undefined;

  /** Runs at this time at the latest. A run that is planned for an earlier one stays. */
  function runBy(at: number): void {
    if (closing.signal.aborted || at >= nextRun) return;
    const delay = Math.min(Math.max(at - clock.now(), 0), longestDelayMs);
    nextRun = clock.now() + delay;
    clearTimeout(timer);
    timer = setTimeout(run, delay);
    // Nobody waits for a server to end until the next reminder.
    timer.unref();
  }

  function reschedule(): void {
    if (closing.signal.aborted) return;
    const [first] = nextDue(database, retries);
    const due = Math.min(first === undefined ? Number.MAX_VALUE : first.at * 1000, retries.next() ?? Number.MAX_VALUE);
    runBy(Math.max(due, pausedUntil));
  }

  function run(): void {
    nextRun = Number.POSITIVE_INFINITY;
    clean();
    try {
      if (clock.now() >= pausedUntil) deliver();
      reschedule();
    } catch (error) {
      pause(error);
    }
    // What could not be put on the disk is still due.
    database.settled().catch(pause);
  }

  function pause(error: unknown): void {
    onFault(error);
    pausedUntil = clock.now() + delayAfterFaultMs;
    runBy(pausedUntil);
  }

  function deliver(): void {
    let left = mostAtOnce;
    for (const { realmId, at } of nextDue(database, retries)) {
      if (left <= 0 || at * 1000 > clock.now()) return;
      const realm = database.first(database.sql.selectFrom("realm").selectAll().where("id", "=", realmId));
      if (realm === undefined) continue;
      left -= deliverDue({ database, clock }, realm, { most: left, onFailure: { retries, onFault } });
    }
  }

  function clean(): void {
    if (housekeeping === undefined || cleaning !== undefined || clock.now() < housekeepingAt) return;
    housekeepingAt = clock.now() + housekeepingEveryMs;
    cleaning = Promise.resolve()
      .then(() => housekeeping(closing.signal))
      .catch(onFault)
      .finally(() => {
        cleaning = undefined;
      });
  }

  return {
    reschedule,
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      await cleaning;
    },
  };
}
