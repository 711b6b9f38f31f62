import { statSync, watch } from "node:fs";
import { connect } from "node:net";
import { basename, dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { UsageError } from "../base/usage-error.js";
import type { CheckResult } from "../report/model/check-result.js";
import type { VerifyReport } from "../report/model/verify-report.js";
import { pluralize } from "../text/format-values.js";
import { visibleLine } from "../text/visible-text.js";

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

/** Some servers restart within half a second. */
const pollMs = 200;
/** How long a connection may take. */
const connectMs = 2_000;
/** Editors write a file in several steps, and build tools several files. */
const settleMs = 200;
/** Some servers notice a change only after a second, and restart behind an open port. */
const reloadMs = 1_500;

/**
 * Repeats a run whenever a file changes or the server comes back, and writes which checks changed: first those that did not pass, or all
 * if all passed. Resolves to whether a check fails at the end.
 */
export async function watchAndRepeat(first: VerifyReport, options: WatchOptions): Promise<boolean> {
  const { signal, run, write } = options;
  const outcomes = new Map(first.checks.map(({ id, outcome }) => [id, outcome.kind]));
  const trigger = createTrigger(options);
  let isQuiet = false;
  try {
    for (;;) {
      if (!isQuiet) write("Waiting for a change (Ctrl+C ends)");
      const cause = await trigger.next();
      if (cause === undefined) break;
      const open = [...outcomes].flatMap(([id, kind]) => (kind === "passed" || kind === "deviated" ? [] : id));
      const report = await run(open.length === 0 ? undefined : open).catch((error: unknown) => {
        if (!(error instanceof UsageError)) throw error;
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
      if (cause === "file" && changed.length === 0) trigger.repeatLater();
      isQuiet = cause === "again" && changed.length === 0;
      if (isQuiet) continue;
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

/** Why a run is repeated: a file changed, the server came back, or it may not have reloaded itself before the last repetition. */
type Cause = "file" | "server" | "again";

interface Trigger {
  /** Resolves after a change, when the server is reachable, to what changed; to undefined once the signal aborts. */
  readonly next: () => Promise<Cause | undefined>;
  /** Makes `next` resolve once more, when a server that reloads itself has had the time to. */
  readonly repeatLater: () => void;
  readonly close: () => void;
}

function createTrigger({ paths, target, signal, write }: WatchOptions): Trigger {
  let isDirty = false;
  let againAt = Number.POSITIVE_INFINITY;
  const watchers = paths.map((path) => {
    // Many editors replace a file when they save it, which ends a watch of the file itself.
    const isFolder = statSync(path).isDirectory();
    const watcher = watch(isFolder ? path : dirname(path), { recursive: isFolder }, (_, changed) => {
      const name = String(changed);
      isDirty ||= isFolder ? !/(?:^|[\\/])(?:node_modules|\.git)(?:[\\/]|$)/.test(name) : name === basename(path);
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
        const isDue = performance.now() >= againAt;
        if (reachable && (isDirty || isDue || !wasReachable)) {
          await pause(settleMs, signal);
          const cause = isDirty ? "file" : wasReachable ? "again" : "server";
          isDirty = false;
          againAt = Number.POSITIVE_INFINITY;
          await untilReachable(target, signal);
          return signal.aborted ? undefined : cause;
        }
        if (wasReachable && !reachable && !signal.aborted) write("The server is gone. Waiting for it to come back");
        wasReachable = reachable;
        await pause(pollMs, signal);
      }
      return undefined;
    },
    repeatLater: () => {
      againAt = performance.now() + reloadMs;
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
    socket.setTimeout(connectMs, () => end(false));
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}

function connectTo({ hostname, port, protocol }: URL) {
  return connect(Number(port || (protocol === "https:" ? 443 : 80)), hostname.replace(/^\[(.*)\]$/, "$1"));
}
