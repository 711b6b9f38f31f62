import { AsyncLocalStorage } from "node:async_hooks";
import { maxBlockedMs, watchForLoops } from "../../base/loop-watch.js";

/** A check in code did what no check may do. The message says so as a phrase. */
export class CodeFaultError extends Error {
  override readonly name = "CodeFaultError";
}

/** Keeps checks in code from ending the process, or from keeping the run from its end. */
export interface CodeGuard {
  /** Runs a check within the time limit. Rejects with a `CodeFaultError` if it exceeds that, ends the process, or throws apart from its promise. */
  readonly run: (check: string, work: () => Promise<void>) => Promise<void>;
  /** Waits for work that runs checks. If one loops without end, calls `stop` instead: what was under way may then never settle. */
  readonly during: (work: Promise<void>, stop: () => void) => Promise<void>;
  /** What checks did after they had ended, by their ids. */
  readonly faults: () => ReadonlyMap<string, string>;
  /** Leaves the process as it was. */
  readonly close: () => void;
}

interface RunningCheck {
  readonly id: string;
  readonly fail: (error: CodeFaultError) => void;
  isOver: boolean;
}

/** How many calls that take as long as they may a check in code has time for. */
export const maxCodeCalls = 10;

/** The time in which a check that was ended is reported, in milliseconds. */
const reportMs = 1_000;

/** Creates the guard of a run. It does nothing before the first check. */
export function createCodeGuard(limitMs: number): CodeGuard {
  const checks = new AsyncLocalStorage<RunningCheck>();
  const faults = new Map<string, string>();
  let looping: RunningCheck | undefined;
  let hasLooped = false;
  let giveUp: () => void = () => {};
  const looped = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
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
      // Node itself may miss what the loop left undone.
      if (hasLooped) return;
      process.off("uncaughtException", onError);
      // Nobody else handles it.
      if (process.listenerCount("uncaughtException") === 0) throw error;
    };
    process.on("uncaughtException", onError);
    const onEnding = () => {
      hasLooped = true;
      looping = checks.getStore();
    };
    const onLooped = () => {
      if (looping !== undefined) note(looping, "it loops without end");
      setTimeout(giveUp, reportMs);
    };
    const { isReady, stop } = watchForLoops(Math.min(maxBlockedMs, limitMs), onLooped, onEnding);
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
      const own = check as unknown as RunningCheck;
      // In a task of its own: what ends a loop ends everything on its stack. After that, Node could not run what `setImmediate` queued, but timers.
      const working = new Promise<void>((resolve, reject) => {
        setTimeout(() => checks.run(own, work).then(resolve, reject));
      });
      try {
        await Promise.race([working, ending]);
      } finally {
        own.isOver = true;
        clearTimeout(timer);
      }
    },
    during: (work, stop) => Promise.race([work, looped.then(stop)]),
    faults: () => faults,
    close: () => {
      installed?.undo();
      // Otherwise, every later promise of the process has a property for each run.
      checks.disable();
    },
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
