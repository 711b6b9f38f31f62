import { watch } from "node:fs";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { pluralize } from "../text/format-values.js";
import { visibleLine } from "../text/visible-text.js";
import { CouldNotRunError } from "../verify/could-not-run-error.js";
import type { CheckResult } from "../verify/model/check-result.js";
import type { VerifyReport } from "../verify/model/verify-report.js";

/** How to repeat a run. */
export interface WatchOptions {
  /** Files and folders whose changes repeat the run. */
  readonly paths: readonly string[];
  /** The URL or address of the server, which repeats the run when it comes back. */
  readonly target: string;
  /** Ends the repetition. */
  readonly signal: AbortSignal;
  /** Runs the checks with these ids; all of the selection if undefined. */
  readonly run: (ids: readonly string[] | undefined) => Promise<VerifyReport>;
  readonly write: (line: string) => void;
}

const pollMs = 500;
/** Editors write a file in several steps, and build tools several files. */
const settleMs = 200;

/**
 * Repeats a run whenever a file changes or the server comes back, and writes which checks changed: first those that did not pass, or all
 * if all passed. Resolves to whether a check fails at the end.
 */
export async function watchAndRepeat(first: VerifyReport, options: WatchOptions): Promise<boolean> {
  const { signal, run, write } = options;
  const outcomes = new Map(first.checks.map(({ id, outcome }) => [id, outcome.kind]));
  const trigger = createTrigger(options);
  try {
    for (;;) {
      write("Waiting for a change (Ctrl+C ends)");
      if (!(await trigger.next())) break;
      const open = [...outcomes].flatMap(([id, kind]) => (kind === "passed" || kind === "deviated" ? [] : id));
      const report = await run(open.length === 0 ? undefined : open).catch((error: unknown) => {
        if (!(error instanceof CouldNotRunError)) throw error;
        if (!signal.aborted) write(visibleLine(error.message));
        return undefined;
      });
      if (signal.aborted) break;
      if (report === undefined) continue;
      const changed = report.checks.filter(({ id, outcome }) => outcomes.get(id) !== outcome.kind);
      for (const check of changed) {
        outcomes.set(check.id, check.outcome.kind);
        write(describeChange(check));
      }
      const failing = [...outcomes.values()].filter(isFailing).length;
      write(`${pluralize(report.checks.length, "check")} repeated, ${changed.length} changed, ${failing} failing`);
    }
  } finally {
    trigger.close();
  }
  return [...outcomes.values()].some(isFailing);
}

/** Resolves once the server accepts connections, or the signal aborts. */
export async function untilReachable(target: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await isReachable(target))) await pause(pollMs, signal);
}

function isFailing(kind: CheckResult["outcome"]["kind"] | undefined): boolean {
  return kind === "failed" || kind === "errored";
}

function describeChange({ id, outcome }: CheckResult): string {
  switch (outcome.kind) {
    case "failed":
    case "deviated":
      return visibleLine(`${outcome.kind}  ${id}: ${outcome.problems[0] ?? ""}`);
    case "skipped":
    case "errored":
      return visibleLine(`${outcome.kind === "skipped" ? "skipped" : "could not run"}  ${id}: ${outcome.reason}`);
    case "passed":
      return visibleLine(`passed  ${id}`);
  }
}

interface Trigger {
  /** Resolves to true after a change, when the server is reachable; to false once the signal aborts. */
  readonly next: () => Promise<boolean>;
  readonly close: () => void;
}

function createTrigger({ paths, target, signal }: WatchOptions): Trigger {
  let isDirty = false;
  const watchers = paths.map((path) => {
    const watcher = watch(path, { recursive: true }, (_, name) => {
      isDirty ||= !/(?:^|[\\/])(?:node_modules|\.git)(?:[\\/]|$)/.test(String(name));
    });
    // A folder that is deleted is no reason to end.
    watcher.on("error", () => {});
    return watcher;
  });
  return {
    next: async () => {
      let wasReachable = true;
      while (!signal.aborted) {
        const reachable = await isReachable(target);
        if (reachable && (isDirty || !wasReachable)) {
          await pause(settleMs, signal);
          isDirty = false;
          await untilReachable(target, signal);
          return !signal.aborted;
        }
        wasReachable = reachable;
        await pause(pollMs, signal);
      }
      return false;
    },
    close: () => {
      for (const watcher of watchers) watcher.close();
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal }).catch(() => undefined);
}

/** Whether a server accepts connections. */
function isReachable(target: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = target.startsWith("unix:")
      ? connect(target.slice("unix:".length).replace(/^\/\/(?=\/)/, ""))
      : connectTo(new URL(target));
    const end = (reachable: boolean) => {
      socket.destroy();
      resolve(reachable);
    };
    socket.setTimeout(pollMs * 4, () => end(false));
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}

function connectTo({ hostname, port, protocol }: URL) {
  return connect(Number(port || (protocol === "https:" ? 443 : 80)), hostname.replace(/^\[(.*)\]$/, "$1"));
}
