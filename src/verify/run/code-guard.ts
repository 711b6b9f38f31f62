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
    const { isReady, stop } = watchForLoops(blockedMs);
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
      try {
        await Promise.race([checks.run(own, work), ending]);
      } finally {
        own.isOver = true;
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
