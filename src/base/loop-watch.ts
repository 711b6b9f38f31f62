import { Worker } from "node:worker_threads";

/** How long code of a contract may keep everything else from running, in milliseconds. Then it is ended. */
export const maxBlockedMs = 60_000;

/** Watches that code lets everything else run now and then. */
export interface LoopWatch {
  /** Resolves once the watch sees everything. */
  readonly isReady: Promise<void>;
  readonly stop: () => void;
}

/**
 * What a thread of its own does, since nothing in the main thread can: it ends what the main thread executes if that does not count on. What
 * cannot be ended, such as a program that is waited for, ends with the process, whose exit code is then that of SIGKILL.
 */
const watchdog = `
const { writeSync } = require("node:fs");
const { Session } = require("node:inspector");
const { workerData: { shared, blockedMs, hook } } = require("node:worker_threads");
const state = new Int32Array(shared);
let last = -1;
let stale = 0;
setInterval(() => {
  const now = Atomics.load(state, 0);
  stale = now === last ? stale + 1 : 0;
  last = now;
  // After a machine slept, the first look is too early.
  if (stale === 2) {
    const session = new Session();
    session.connectToMainThread();
    const expression = "globalThis[Symbol.for(" + JSON.stringify(hook) + ")]()";
    session.post("Runtime.evaluate", { expression }, (error, { exceptionDetails } = {}) => {
      // A recursion may have left no room on the stack.
      if (error || exceptionDetails) return;
      Atomics.store(state, 1, 1);
      session.post("Runtime.terminateExecution");
    });
  }
  if (stale < 4) return;
  writeSync(2, "accord: A check in code blocks the process: the run is ended without a report.\\n");
  process.kill(process.pid, "SIGKILL");
}, blockedMs / 2);
`;

let watches = 0;

/**
 * Ends what executes for longer than a limit. `onEnding` is called within what is ended, and `onEnded` afterwards. What else would have run
 * before the next timer may be lost.
 */
export function watchForLoops(blockedMs: number, onEnded: () => void, onEnding: () => void = () => {}): LoopWatch {
  const shared = new SharedArrayBuffer(8);
  const state = new Int32Array(shared);
  const hook = `accord ends a loop ${watches++}`;
  const ofProcess = globalThis as { [name: symbol]: (() => void) | undefined };
  ofProcess[Symbol.for(hook)] = () => {
    onEnding();
    forgetAsyncStack();
  };
  const timer = setInterval(() => {
    Atomics.add(state, 0, 1);
    if (Atomics.exchange(state, 1, 0) === 1) onEnded();
  }, blockedMs / 10).unref();
  const worker = new Worker(watchdog, { eval: true, execArgv: [], workerData: { shared, blockedMs, hook } });
  // Without a thread, there is no watch.
  const isReady = new Promise<void>((resolve) => {
    worker.once("online", () => {
      worker.unref();
      resolve();
    });
    worker.on("error", () => resolve());
  });
  const stop = () => {
    clearInterval(timer);
    delete ofProcess[Symbol.for(hook)];
    void worker.terminate();
  };
  return { isReady, stop };
}

/** Clears the async stack. Node 20 and 22 abort if code is terminated inside an `AsyncLocalStorage`, whose entries are then still on it. */
function forgetAsyncStack(): void {
  const node = process as unknown as {
    noDeprecation?: boolean;
    binding?: (name: string) => { readonly clearAsyncIdStack?: () => void };
  };
  const { noDeprecation = false } = node;
  node.noDeprecation = true;
  try {
    node.binding?.("async_wrap").clearAsyncIdStack?.();
  } finally {
    node.noDeprecation = noDeprecation;
  }
}

/** Loads code of a contract. Rejects if it does not load within the limit. */
export async function loadWithin<Value>(load: () => Promise<Value>, limitMs = maxBlockedMs): Promise<Value> {
  let fail: (error: Error) => void = () => {};
  const tooLong = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const giveUp = () => fail(new Error(`it did not load within ${limitMs / 1000} s`));
  const watch = watchForLoops(limitMs, giveUp);
  let timer: NodeJS.Timeout | undefined;
  try {
    await watch.isReady;
    timer = setTimeout(giveUp, limitMs);
    // What ends the code ends everything on its stack.
    return await Promise.race([Promise.resolve().then(load), tooLong]);
  } finally {
    clearTimeout(timer);
    watch.stop();
  }
}
