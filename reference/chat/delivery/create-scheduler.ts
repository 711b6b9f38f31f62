import type { Services } from "../services.js";
import { createRetries, deliverDue, nextDue } from "./deliver-due.js";

/** Delivers due reminders and scheduled messages, and runs the housekeeping. */
export interface Scheduler {
  /** Recomputes the next due time. Call it at start-up, after adding a row, and after moving the clock of an organization. */
  readonly reschedule: () => void;
  /** Stops deliveries. Resolves when running housekeeping has stopped. */
  readonly close: () => Promise<void>;
}

/** Dependencies of a scheduler. */
export interface SchedulerOptions extends Pick<Services, "database" | "clock"> {
  /** Runs within a minute of the start, then every hour. Must stop when the signal is aborted. */
  readonly housekeeping?: (signal: AbortSignal) => void | Promise<void>;
  /** Called when a delivery or the housekeeping fails. A delivery is retried a minute later. */
  readonly onFault: (error: unknown) => void;
}

/** Maximum timer delay, because the machine may sleep and its clock may be set. */
const maxDelayMs = 60_000;
const delayAfterFaultMs = 60_000;
const housekeepingEveryMs = 60 * 60 * 1000;
/** Maximum deliveries before requests get a turn. */
const maxDeliveriesPerRun = 20;

/** Creates a scheduler with one timer, set to the next due time of any organization. It starts with the first `reschedule`. */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { database, clock, housekeeping, onFault } = options;
  const retries = createRetries(clock, delayAfterFaultMs);
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  /** When the timer fires. */
  let nextRun = Number.POSITIVE_INFINITY;
  /** No deliveries before this time. */
  let pausedUntil = 0;
  let housekeepingAt = 0;
  let cleaning: Promise<void> | undefined;

  /** Schedules a run for this time at the latest. An earlier scheduled run stays. */
  function runBy(at: number): void {
    if (closing.signal.aborted || at >= nextRun) return;
    const delay = Math.min(Math.max(at - clock.now(), 0), maxDelayMs);
    nextRun = clock.now() + delay;
    clearTimeout(timer);
    timer = setTimeout(run, delay);
    // A pending reminder must not keep the process alive.
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
    // Rows whose commit failed are still due.
    database.settled().catch(pause);
  }

  function pause(error: unknown): void {
    onFault(error);
    pausedUntil = clock.now() + delayAfterFaultMs;
    runBy(pausedUntil);
  }

  function deliver(): void {
    let left = maxDeliveriesPerRun;
    for (const { realmId, at } of nextDue(database, retries)) {
      if (left <= 0 || at * 1000 > clock.now()) return;
      const realm = database.first(database.sql.selectFrom("realm").selectAll().where("id", "=", realmId));
      if (realm === undefined) continue;
      left -= deliverDue({ database, clock }, realm, { max: left, onFailure: { retries, onFault } });
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
