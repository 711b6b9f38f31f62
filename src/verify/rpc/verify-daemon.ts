import { type DaemonCase, type DaemonProbes, loadDaemonCases } from "../../contract/rpc/cases.js";
import { createDaemonTransport, type DaemonProtocol } from "../../daemon/create-daemon-client.js";
import { createServiceClients } from "../../daemon/service-clients.js";
import type { ServiceNames } from "../../daemon/service-names.js";
import { contractVersions, packageVersion } from "../../versions.js";
import { maxAnswerBytes } from "../answer-limits.js";
import { CouldNotRunError } from "../could-not-run-error.js";
import { createRecorder } from "../create-recorder.js";
import type { CheckOutcome, CheckResult } from "../model/check-result.js";
import { toReportedRule, type VerifyReport } from "../model/verify-report.js";
import { type Runnable, runLanes } from "../run/run-lanes.js";
import { runSteps } from "../run/run-steps.js";
import { type RunOptions, resolveRunOptions } from "../run-options.js";
import type { CallDaemon } from "./answer.js";
import { caseCheck, idOf, waitsForLimit } from "./case-check.js";
import { checkLog, logCheck, logCheckId } from "./check-log.js";
import { createCall } from "./create-call.js";
import { createDaemonProbe } from "./create-daemon-probe.js";
import { createDaemonSession } from "./create-daemon-session.js";
import { checkDescriptors, createTypeReader, descriptorCheck } from "./descriptor-check.js";
import { createRpcPresence, withNeeds } from "./rpc-presence.js";
import { watchLog } from "./search-log.js";
import { selectCases } from "./select-cases.js";

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
  const { first, withSecrets, isLogSelected, areDescriptorsSelected, afterwards, reported, shard, beyond } = selected;
  const recorder = createRecorder(options, rules);
  const { transport, close } = createTransport(address, protocol, names);
  const client = { ...createServiceClients(transport), close };
  const log = logFile === undefined ? undefined : await watchLog(logFile).catch(couldNotRead(logFile));
  const { signal } = recorder;
  const means = { client, protocol, timeoutMs, signal };
  const presence = createRpcPresence();
  const calling = () => presence.watch(createCall(means));
  const probe = createDaemonProbe(calling, probes);
  const target = { address, protocol, names, createCall: calling, probe };
  const toRunnable = (one: DaemonCase): Runnable => {
    const { steps, ...about } = caseCheck(one, rules);
    const run = () => runSteps({ ...about, steps }, createDaemonSession(target, one));
    return { ...about, waits: waitsForLimit(one), run };
  };
  const searchLog = async () => {
    const didFetch = log !== undefined && (await probe.fetches());
    return checkLog(log, { cases: withSecrets, rules, didFetch, signal });
  };
  const describe = createTypeReader(transport, { prefix: names.package, timeoutMs, signal });
  const phases: readonly (readonly Runnable[])[] = [
    first.map(toRunnable),
    [
      ...(isLogSelected ? [codeCheck(logCheck(rules), searchLog)] : []),
      ...(areDescriptorsSelected ? [codeCheck(descriptorCheck(rules), () => checkDescriptors(rules, describe))] : []),
    ],
    afterwards.map(toRunnable),
  ];
  const unreported = new Set(withSecrets.filter((one) => !reported.has(one)).map(idOf));
  const onCheck = (check: CheckResult) => {
    if (!unreported.has(check.id)) recorder.add(check);
  };
  let waitedMs = 0;
  try {
    const reachMs = Math.min(timeoutMs, maxReachMs);
    await unlessAborted(signal, () => reachDaemon(address, createCall({ ...means, timeoutMs: reachMs }), probes.reach));
    recorder.plan(phases.flat().length - unreported.size);
    for (const checks of phases) {
      const lanes = checks.map((check) => [check]);
      waitedMs += await runLanes(lanes, { jobs, signal, onCheck });
    }
  } finally {
    client.close();
    await log?.close();
  }
  const operations = presence.operations(cases, selected.checks);
  const report = recorder.report({
    contract: "daemon",
    version: contractVersions.daemon,
    packageVersion,
    target: address,
    waitedMs: Math.round(waitedMs),
    ...(shard === undefined ? {} : { shard }),
    operations,
    ...(beyond === undefined ? {} : { beyond }),
    rules: rules.map(toReportedRule),
    existing: new Set([...cases.map(idOf), logCheckId, descriptorCheck(rules).id]),
  });
  return { ...report, checks: withNeeds(report.checks, operations) };
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

/** The runnable of a check in code. */
function codeCheck(check: Omit<Runnable, "run">, run: () => Promise<CheckOutcome>): Runnable {
  return { ...check, run: async () => ({ outcome: await run(), isAnswered: true }) };
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
