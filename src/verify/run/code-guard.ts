import { AsyncLocalStorage } from "node:async_hooks";
import { Worker } from "node:worker_threads";

/** A check in code did what no check may do. The message says so as a phrase. */
export class CodeFaultError extends Error {
  override readonly name = "CodeFaultError";
}

/** Keeps checks in code from ending the process, or from keeping the run from its end. */
export interface CodeGuard {
  /** Runs a check within the time limit. Rejects with a `CodeFaultError` if it exceeds that, ends the process, or throws apart from its promise. */
  readonly run: (check: string, work: () => Promise<void>) => Promise<void>;
  /** What checks did after they had ended, by their ids. */
  readonly faults: () => ReadonlyMap<string, string>;
  /** Leaves the process as it was. */
  readonly close: () => void;
}

/** How long a check in code may keep everything else from running, in milliseconds. Then the process ends by SIGKILL. */
export const maxBlockedMs = 60_000;

interface RunningCheck {
  readonly id: string;
  readonly fail: (error: CodeFaultError) => void;
  isOver: boolean;
}

/** Creates the guard of a run. It does nothing before the first check. */
export function createCodeGuard(limitMs: number, blockedMs = maxBlockedMs): CodeGuard {
  const checks = new AsyncLocalStorage<RunningCheck>();
  const faults = new Map<string, string>();
  let installed: { readonly isReady: Promise<unknown>; readonly undo: () => void } | undefined;

  function note(check: RunningCheck, fault: string): void {
    if (check.isOver) faults.set(check.id, fault);
    else check.fail(new CodeFaultError(fault));
  }

  function install(): { readonly isReady: Promise<unknown>; readonly undo: () => void } {
    const { exit } = process;
    process.exit = (code) => {
      const check = checks.getStore();
      if (check === undefined) return exit.call(process, code);
      const fault = "it called process.exit";
      note(check, fault);
      throw new CodeFaultError(fault);
    };
    const onError = (error: unknown) => {
      const check = checks.getStore();
      if (check !== undefined) return note(check, `it threw apart from its promise: ${textOf(error)}`);
      process.off("uncaughtException", onError);
      // Nobody else handles it.
      if (process.listenerCount("uncaughtException") === 0) throw error;
    };
    process.on("uncaughtException", onError);
    const { isReady, stop } = startWatchdog(blockedMs);
    const undo = () => {
      process.exit = exit;
      process.off("uncaughtException", onError);
      stop();
    };
    return { isReady, undo };
  }

  return {
    run: async (id, work) => {
      installed ??= install();
      await installed.isReady;
      let timer: NodeJS.Timeout | undefined;
      let check: RunningCheck | undefined;
      const ending = new Promise<never>((_, fail) => {
        check = { id, fail, isOver: false };
        timer = setTimeout(() => fail(new CodeFaultError(`it did not end within ${limitMs / 1000} s`)), limitMs);
      });
      try {
        await Promise.race([checks.run(check as unknown as RunningCheck, work), ending]);
      } finally {
        if (check !== undefined) check.isOver = true;
        clearTimeout(timer);
      }
    },
    faults: () => faults,
    close: () => installed?.undo(),
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What a thread of its own does: it ends the process, with a sentence, if the main thread does not count on. */
const watchdog = `
const { writeSync } = require("node:fs");
const { workerData: { shared, blockedMs } } = require("node:worker_threads");
const count = new Int32Array(shared);
let last = -1;
let stale = 0;
setInterval(() => {
  const now = Atomics.load(count, 0);
  stale = now === last ? stale + 1 : 0;
  last = now;
  // After a machine slept, the first look is too early.
  if (stale < 2) return;
  writeSync(2, "accord: A check in code loops without end: the run is ended without a report.\\n");
  process.kill(process.pid, "SIGKILL");
}, blockedMs / 2);
`;

/** Ends the process if a check loops without end, which nothing in the main thread can. It is ready once its thread runs. */
function startWatchdog(blockedMs: number): { readonly isReady: Promise<unknown>; readonly stop: () => void } {
  const shared = new SharedArrayBuffer(4);
  const count = new Int32Array(shared);
  const timer = setInterval(() => Atomics.add(count, 0, 1), blockedMs / 10).unref();
  const worker = new Worker(watchdog, { eval: true, execArgv: [], workerData: { shared, blockedMs } });
  // Without a thread, there is no watchdog.
  const isReady = new Promise<void>((resolve) => {
    worker.once("online", () => {
      worker.unref();
      resolve();
    });
    worker.on("error", () => resolve());
  });
  const stop = () => {
    clearInterval(timer);
    void worker.terminate();
  };
  return { isReady, stop };
}
