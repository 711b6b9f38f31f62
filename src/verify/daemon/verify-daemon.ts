import { type DaemonCase, type DaemonProbes, type DaemonRule, loadDaemonCases } from "../../contract/daemon/cases.js";
import { createDaemonTransport, type DaemonProtocol } from "../../daemon/create-daemon-client.js";
import { createServiceClients } from "../../daemon/service-clients.js";
import type { ServiceNames } from "../../daemon/service-names.js";
import { contractVersions, packageVersion } from "../../versions.js";
import { maxAnswerBytes } from "../answer-limits.js";
import type { Check } from "../check.js";
import { CouldNotRunError } from "../could-not-run-error.js";
import { createRecorder } from "../create-recorder.js";
import { type RunOptions, resolveRunOptions } from "../run-options.js";
import { toReportedRule, type VerifyReport } from "../verify-report.js";
import type { CallDaemon } from "./answer.js";
import { checkLog, logCheckId } from "./check-log.js";
import { createCall } from "./create-call.js";
import { createDaemonProbe } from "./create-daemon-probe.js";
import { showableRules } from "./find-shown-rules.js";
import { createTypeReader } from "./judge-descriptors.js";
import { runCases } from "./run-cases.js";
import { runDaemonCase } from "./run-daemon-case.js";
import { watchLog } from "./search-log.js";
import { idOf, rulesOfAnswers, selectCases } from "./select-cases.js";

/** The daemon to verify, and the options of the run. */
export interface VerifyDaemonOptions extends RunOptions {
  /** `unix:/path/to/socket`, `http://host:port` or `https://host:port`. */
  readonly address: string;
  /** Defaults to `grpc`. */
  readonly protocol?: DaemonProtocol;
  /** The log file of the daemon, which is searched for the secrets of the run. */
  readonly logFile?: string;
  /** The names of its services, if they differ from those of the contract. The messages are the same. */
  readonly names?: ServiceNames;
}

/**
 * Runs the cases of the RPC contract against a daemon, and reports which rules it keeps. The daemon must be able to fetch from the
 * loopback interface, where the subscriptions of the cases are served.
 *
 * Rejects with a `CouldNotRunError` if the address or a name is malformed, the daemon is unreachable, an option is out of bounds, the log
 * is unreadable, the selection matches nothing, or the signal was aborted before the first check was complete.
 */
export async function verifyDaemon(options: VerifyDaemonOptions): Promise<VerifyReport> {
  const { address, protocol = "grpc", logFile, names = {}, jobs, timeoutMs } = resolveRunOptions(options);
  const { rules, cases, probes } = await loadDaemonCases();
  const hasLog = logFile !== undefined;
  const selected = selectCases({ cases, rules }, options, { hasLog });
  const { first, withSecrets, isLogSelected, afterwards, reported, shard } = selected;
  const recorder = createRecorder(options, rules);
  const { transport, close } = createTransport(address, protocol, names);
  const client = { ...createServiceClients(transport), close };
  const log = logFile === undefined ? undefined : await watchLog(logFile).catch(couldNotRead(logFile));
  const { signal } = recorder;
  let waitedMs = 0;
  try {
    const means = { client, protocol, signal };
    const reachMs = Math.min(timeoutMs, maxReachMs);
    await unlessAborted(signal, () => reachDaemon(address, createCall({ ...means, timeoutMs: reachMs }), probes.reach));
    recorder.plan(reported.size + (isLogSelected ? 1 : 0));
    const describe = createTypeReader(transport, { prefix: names.package, timeoutMs, signal });
    const target = { ...means, address, names, timeoutMs, rules, probes, describe };
    const probe = createDaemonProbe(() => createCall({ ...means, timeoutMs }), probes);
    const runCase = async (one: DaemonCase) => {
      const started = performance.now();
      const result = await runDaemonCase(one, target, probe);
      if (reported.has(one)) recorder.add(toCheck(one, rules, result, performance.now() - started));
    };
    const run = (one: DaemonCase) => unlessAborted(signal, () => runCase(one));
    waitedMs += await runCases(first, jobs, run, recorder.signal);
    const searchLog = async () => {
      const didFetch = log !== undefined && (await probe.fetches());
      recorder.add(await checkLog(log, { cases: withSecrets, rules, didFetch, signal }));
    };
    if (isLogSelected && !recorder.signal.aborted) await unlessAborted(signal, searchLog);
    waitedMs += await runCases(afterwards, jobs, run, recorder.signal);
  } finally {
    client.close();
    await log?.close();
  }
  return recorder.report({
    contract: "daemon",
    version: contractVersions.daemon,
    packageVersion,
    target: address,
    waitedMs: Math.round(waitedMs),
    ...(shard === undefined ? {} : { shard }),
    rules: rules.map(toReportedRule),
    existing: new Set([...cases.map(idOf), logCheckId]),
  });
}

/** How long to wait for the first response, in milliseconds. A slower daemon may still respond to the cases. */
const maxReachMs = 5_000;

/** Ignores the errors of aborted work. */
async function unlessAborted(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function createTransport(address: string, protocol: DaemonProtocol, names: ServiceNames) {
  try {
    return createDaemonTransport({ address, protocol, names, maxBytes: maxAnswerBytes });
  } catch (error) {
    // The message shows the form of an address or a name.
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
      // A response can also break rules that the case does not name, such as those about all RPCs.
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

/**
 * Calls an RPC with an empty request. Rejects with a `CouldNotRunError` if the daemon cannot be reached, so that one error reports it
 * instead of one per case. Ignores every other result; the cases judge it.
 */
async function reachDaemon(address: string, callDaemon: CallDaemon, rpc: DaemonProbes["reach"]): Promise<void> {
  const answer = await callDaemon(rpc, {});
  if (answer.kind === "unreachable") {
    throw new CouldNotRunError(`The daemon at ${address} cannot be reached: ${answer.text}. ${answer.help}`);
  }
}
