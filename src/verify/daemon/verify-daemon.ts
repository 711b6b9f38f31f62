import { type DaemonCase, type DaemonRule, loadDaemonCases } from "../../contract/daemon/cases.js";
import { createDaemonClient, type DaemonProtocol } from "../../daemon/create-daemon-client.js";
import type { DaemonClient } from "../../daemon/service-clients.js";
import { readPackage } from "../../read-package.js";
import { maxAnswerBytes } from "../answer-limits.js";
import type { Check } from "../check.js";
import { CouldNotRunError } from "../could-not-run-error.js";
import { createRecorder } from "../create-recorder.js";
import { runAll } from "../run-all.js";
import { type RunOptions, resolveRunOptions } from "../run-options.js";
import { toReportedRule, type VerifyReport } from "../verify-report.js";
import { checkLog, logCheckId } from "./check-log.js";
import { createCall } from "./create-call.js";
import { createDaemonProbe } from "./create-daemon-probe.js";
import { showableRules } from "./find-shown-rules.js";
import { reachDaemon } from "./reach-daemon.js";
import { runDaemonCase } from "./run-daemon-case.js";
import { watchLog } from "./search-log.js";
import { idOf, rulesOfAnswers, selectCases } from "./select-cases.js";

/** Which daemon is verified, and how. */
export interface VerifyDaemonOptions extends RunOptions {
  /** `unix:/path/to/socket`, `http://host:port` or `https://host:port`. */
  readonly address: string;
  /** Defaults to `grpc`. */
  readonly protocol?: DaemonProtocol;
  /** The daemon's log, to be searched for the secrets that the run used. */
  readonly logFile?: string;
}

/**
 * Runs the cases of the RPC contract against a daemon, and tells which rules it keeps. The daemon has to be able to fetch from the
 * loopback interface, where the subscriptions of the cases are served.
 *
 * Rejects with a `CouldNotRunError` when the address is malformed, the daemon cannot be reached, an option is out of its bounds, the
 * log cannot be read, the selection leads to nothing, or the signal was aborted before the first check was done.
 */
export async function verifyDaemon(options: VerifyDaemonOptions): Promise<VerifyReport> {
  const { address, protocol = "grpc", logFile, jobs, timeoutMs } = resolveRunOptions(options);
  const { rules, cases, probes } = await loadDaemonCases();
  const hasLog = logFile !== undefined;
  const { secretive, isLogSelected, others, reported } = selectCases({ cases, rules }, options, { hasLog });
  const recorder = createRecorder(options);
  const client = clientOf(address, protocol);
  const log = logFile === undefined ? undefined : await watchLog(logFile).catch(couldNotRead(logFile));
  const { signal } = recorder;
  try {
    const means = { client, protocol, signal };
    const reachMs = Math.min(timeoutMs, longestReach);
    await unlessAborted(signal, () => reachDaemon(address, createCall({ ...means, timeoutMs: reachMs }), probes.reach));
    recorder.plan(reported.size + (isLogSelected ? 1 : 0));
    const target = { ...means, address, timeoutMs, rules, probes };
    const probe = createDaemonProbe(() => createCall({ ...means, timeoutMs }), probes);
    const runCase = async (one: DaemonCase) => {
      const started = performance.now();
      const result = await runDaemonCase(one, target, probe);
      if (reported.has(one)) recorder.add(toCheck(one, rules, result, performance.now() - started));
    };
    const run = (one: DaemonCase) => unlessAborted(signal, () => runCase(one));
    // A log may hold a URL that was fetched without an error, so only the cases that keep secrets run while it is watched.
    await runAll(secretive, jobs, run, recorder.signal);
    const searchLog = async () => {
      const didFetch = log !== undefined && (await probe.fetches());
      recorder.add(await checkLog(log, { cases: secretive, rules, didFetch, signal }));
    };
    if (isLogSelected && !recorder.signal.aborted) await unlessAborted(signal, searchLog);
    await runAll(others, jobs, run, recorder.signal);
  } finally {
    client.close();
    await log?.close();
  }
  return recorder.report({
    contract: "daemon",
    version: readPackage()?.version ?? "unknown",
    target: address,
    rules: rules.map(toReportedRule),
    existing: new Set([...cases.map(idOf), logCheckId]),
  });
}

/** A daemon that does not answer in this time, in milliseconds, may still answer the cases. */
const longestReach = 5_000;

/** Of work that an abort has cut short, there is nothing to tell. */
async function unlessAborted(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function clientOf(address: string, protocol: DaemonProtocol): DaemonClient {
  try {
    return createDaemonClient({ address, protocol, maxBytes: maxAnswerBytes });
  } catch (error) {
    // It says what an address looks like.
    throw error instanceof TypeError ? new CouldNotRunError(error.message) : error;
  }
}

function couldNotRead(file: string): (error: Error) => never {
  return (error) => {
    throw new CouldNotRunError(`The log ${file} cannot be read: ${error.message}`);
  };
}

function toCheck(
  one: DaemonCase,
  contract: readonly DaemonRule[],
  result: Awaited<ReturnType<typeof runDaemonCase>>,
  durationMs: number,
): Check {
  const rules = showableRules(one, contract);
  const check = { id: idOf(one), kind: "case", operation: one.rpc, summary: one.summary, rules, durationMs } as const;
  const { trace } = result;
  switch (result.kind) {
    case "kept": {
      const { shown, reason } = result;
      return { ...check, outcome: reason === undefined ? { kind: "passed" } : { kind: "passed", shown, reason } };
    }
    case "broken": {
      const broken = [...new Set(result.problems.flatMap(({ rules }) => rules))];
      const problems = result.problems.map(({ text }) => text);
      // A case can show a rule that it does not name, such as that the answer is one of the protocol.
      const all = [...new Set([...rulesOfAnswers(one, contract), ...broken])];
      return { ...check, rules: all, outcome: { kind: "failed", problems, broken, trace } };
    }
    case "skipped":
      return { ...check, outcome: { kind: "skipped", reason: result.reason } };
    case "not-run": {
      const { reason, help } = result;
      const outcome = { kind: "errored", reason, ...(help === undefined ? {} : { help }), trace } as const;
      return { ...check, outcome };
    }
  }
}
