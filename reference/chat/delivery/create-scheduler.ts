import type { Services } from "../services.js";
import { deliverDue } from "./deliver-due.js";
import { nextDue } from "./next-due.js";

/** Delivers due reminders and scheduled messages, and runs the housekeeping. */
export interface Scheduler {
  /** Recomputes the next due time. Call it at start-up, after adding a row, and after moving the clock of an organization. */
  readonly reschedule: () => void;
  /** Stops deliveries. Resolves when a running delivery and the housekeeping have stopped. */
  readonly close: () => Promise<void>;
}

/** Dependencies of a scheduler. */
export interface SchedulerOptions {
  readonly services: Services;
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
  const { services, housekeeping, onFault } = options;
  const { database, clock } = services;
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  /** When the timer fires. */
  let nextRun = Number.POSITIVE_INFINITY;
  /** No deliveries before this time. */
  let pausedUntil = 0;
  let housekeepingAt = 0;
  let cleaning: Promise<void> | undefined;
  let working: Promise<void> = Promise.resolve();

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

  async function scheduleNext(): Promise<void> {
    const [first] = await nextDue(database);
    runBy(Math.max(first === undefined ? Number.MAX_VALUE : first.at * 1000, pausedUntil));
  }

  /** Runs the work after all earlier work. */
  function enqueue(work: () => Promise<void>): void {
    if (closing.signal.aborted) return;
    working = working.then(work).catch(pause);
  }

  function run(): void {
    nextRun = Number.POSITIVE_INFINITY;
    clean();
    enqueue(async () => {
      if (clock.now() >= pausedUntil) await deliver();
      await scheduleNext();
    });
  }

  function pause(error: unknown): void {
    if (closing.signal.aborted) return;
    onFault(error);
    pausedUntil = clock.now() + delayAfterFaultMs;
    runBy(pausedUntil);
  }

  async function deliver(): Promise<void> {
    let left = maxDeliveriesPerRun;
    for (const { realmId, at } of await nextDue(database)) {
      if (left <= 0 || at * 1000 > clock.now() || closing.signal.aborted) return;
      const realm = await database.selectFrom("realm").selectAll().where("id", "=", realmId).executeTakeFirst();
      if (realm === undefined) continue;
      left -= await deliverDue(services, realm, { max: left, onFault });
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
    reschedule: () => enqueue(scheduleNext),
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      await working;
      await cleaning;
    },
  };
}
