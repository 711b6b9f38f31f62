import { CouldNotRunError } from "../base/could-not-run-error.js";
import type { CheckResult } from "../report/model/check-result.js";
import type { VerifyReport } from "../report/model/verify-report.js";
import { visibleLine } from "../text/visible-text.js";
import type { JudgeOptions as TrafficOptions } from "../traffic/judge/create-traffic-judge.js";
import type { ProxyOptions, RunningProxy } from "../traffic/proxy/start-proxy.js";
import { readKnownFailing } from "../verify/known-failing.js";
import { createProgress } from "./create-progress.js";
import { hasColours, publishReport, type ReportFiles, requireWritable } from "./publish-report.js";
import { onStop } from "./stop-signals.js";

/** Options of every command that judges traffic. */
export interface JudgeCommandOptions extends ReportFiles {
  readonly minExercised: number;
  readonly strict?: true;
  readonly quiet?: true;
  readonly knownFailing?: string;
  readonly har?: string;
}

/** A running proxy. */
export interface StartedProxy extends Pick<RunningProxy, "report" | "close"> {
  /** The lines that name the addresses of the proxy. */
  readonly line: string;
}

/**
 * Runs a proxy until a stop signal, then writes the reports and prints the summary. Prints each finding when it first occurs. `title`
 * is that of `createProgress`. Rejects with an `ExitCodeError` unless the traffic passed, and with a `CouldNotRunError` after an unexpected
 * error, which does not keep it from writing the reports.
 */
export async function proxyAndReport(
  title: string,
  options: JudgeCommandOptions,
  start: (options: ProxyOptions) => Promise<StartedProxy>,
): Promise<void> {
  const listeners = await createListeners(title, options);
  const stopped = createStop();
  const faults: unknown[] = [];
  const note = (error: unknown) => void faults.push(error);
  // The last resort: whatever a client or server has sent, the run goes on and its reports are written.
  const onUncaught = (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    note(new CouldNotRunError(`A fault of this package, not of the client or server, ended an exchange: ${reason}`));
  };
  try {
    const proxy = await start({ ...listeners, harFile: options.har });
    process.on("uncaughtException", onUncaught);
    process.stdout.write(proxy.line);
    await stopped.signal;
    listeners.end();
    const isForced = stopped.again.then(() => process.exit(2));
    await Promise.race([proxy.close().catch(note), isForced]);
    await publishReport(await proxy.report(), options).catch(note);
    if (faults.length > 0) throw faults[0];
  } finally {
    process.off("uncaughtException", onUncaught);
    listeners.end();
    stopped.dispose();
  }
}

/** Judges a recording, then writes the reports and prints the summary. Rejects as `proxyAndReport` does. */
export async function checkAndReport(
  title: string,
  options: JudgeCommandOptions,
  check: (options: TrafficOptions) => Promise<VerifyReport>,
): Promise<void> {
  const listeners = await createListeners(title, options);
  try {
    const report = await check(listeners);
    listeners.end();
    await publishReport(report, options);
  } finally {
    listeners.end();
  }
}

async function createListeners(
  title: string,
  options: JudgeCommandOptions,
): Promise<TrafficOptions & { readonly end: () => void }> {
  const { knownFailing: file, strict = false, quiet = false, minExercised } = options;
  const knownFailing = file === undefined ? new Map<string, string>() : await readKnownFailing(file);
  await requireWritable(options, options.har === undefined ? [] : [options.har]);
  const progress = createProgress(process.stderr, { title, colours: hasColours(process.stderr), quiet });
  return {
    strict,
    minExercised,
    knownFailing,
    onFinding: (check) => {
      if (quiet || knownFailing.has(check.id)) return;
      progress.clear();
      process.stderr.write(`${describeFinding(check)}\n`);
    },
    // Masks only what is shown, because masking takes longer than forwarding.
    onExchange: ({ request, response }, mask) =>
      progress.done(() =>
        mask(`${request.method} ${request.target.split("?", 1)[0]} ${response?.status ?? "no response"}`),
      ),
    end: progress.end,
  };
}

function describeFinding({ id, outcome }: CheckResult): string {
  const [problem = ""] = outcome.kind === "failed" || outcome.kind === "deviated" ? outcome.problems : [];
  const [name = ""] = id.split(": ", 1);
  return visibleLine(`${outcome.kind === "deviated" ? "deviates" : "broken  "}  ${name}: ${problem}`);
}

/** Watches for stop signals: the first ends the run, the second ends the process. */
function createStop() {
  let count = 0;
  let first = () => {};
  let second = () => {};
  const signal = new Promise<void>((resolve) => {
    first = resolve;
  });
  const again = new Promise<void>((resolve) => {
    second = resolve;
  });
  const dispose = onStop(() => (count++ === 0 ? first() : second()));
  return { signal, again, dispose };
}
