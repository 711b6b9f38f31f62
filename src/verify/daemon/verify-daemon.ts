import type { DaemonCase, DaemonRule } from "../../daemon/cases/daemon-case.js";
import { loadDaemonCases } from "../../daemon/cases/load-daemon-cases.js";
import { createDaemonClient, type DaemonClient, type DaemonProtocol } from "../../daemon/create-daemon-client.js";
import { readPackage } from "../../read-package.js";
import type { Check } from "../check.js";
import { CouldNotRunError } from "../could-not-run-error.js";
import { createRecorder } from "../create-recorder.js";
import { createSelection } from "../create-selection.js";
import { runAll } from "../run-all.js";
import type { RunOptions } from "../run-options.js";
import type { ReportedRule, VerifyReport } from "../verify-report.js";
import { checkLog } from "./check-log.js";
import { runDaemonCase } from "./run-daemon-case.js";
import { watchLog } from "./search-log.js";

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
 * Rejects with a `CouldNotRunError` when the address is malformed, the log cannot be read, or nothing matches `only`.
 */
export async function verifyDaemon(options: VerifyDaemonOptions): Promise<VerifyReport> {
  const { address, protocol = "grpc", logFile, jobs, timeoutMs } = options;
  const { rules, cases } = await loadDaemonCases();
  const isSelected = createSelection(options);
  const selected = cases.filter((one) => isSelected({ id: idOf(one), operation: one.rpc, rules: rulesOf(one) }));
  if (selected.length === 0) throw new CouldNotRunError("No case of the contract has such a name");
  const recorder = createRecorder(options);
  const client = clientOf(address, protocol);
  const log = logFile === undefined ? undefined : await watchLog(logFile).catch(couldNotRead(logFile));
  try {
    recorder.plan(selected.length + (log === undefined ? 0 : 1));
    const target = { client, protocol, address, timeoutMs };
    const run = async (one: DaemonCase) => {
      const started = performance.now();
      const result = await runDaemonCase(one, target);
      recorder.add(toCheck(one, result, performance.now() - started));
    };
    // A log may hold a URL that was fetched without an error, so only the cases that keep secrets run while it is watched.
    const [secretive, others] = [selected.filter(hasSecrets), selected.filter((one) => !hasSecrets(one))];
    await runAll(secretive, jobs, run, recorder.signal);
    if (log !== undefined && !recorder.signal.aborted) recorder.add(await checkLog(log, secretive));
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
  });
}

function clientOf(address: string, protocol: DaemonProtocol): DaemonClient {
  try {
    return createDaemonClient({ address, protocol });
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

function hasSecrets({ secrets = [] }: DaemonCase): boolean {
  return secrets.length > 0;
}

function idOf({ name }: DaemonCase): string {
  return `case ${name}`;
}

function rulesOf({ rule, also = [] }: DaemonCase): string[] {
  return [rule, ...also];
}

function toCheck(one: DaemonCase, result: Awaited<ReturnType<typeof runDaemonCase>>, durationMs: number): Check {
  const check = { id: idOf(one), kind: "case", operation: one.rpc, summary: one.summary, durationMs } as const;
  const { trace } = result;
  switch (result.kind) {
    case "kept":
      return { ...check, rules: rulesOf(one), outcome: { kind: "passed" } };
    case "broken": {
      const broken = [...new Set(result.problems.flatMap(({ rules }) => rules))];
      const problems = result.problems.map(({ text }) => text);
      // A case can show a rule that it does not name, such as that the answer is one of the protocol.
      const rules = [...new Set([...rulesOf(one), ...broken])];
      return { ...check, rules, outcome: { kind: "failed", problems, broken, trace } };
    }
    case "refused": {
      const reason = "the daemon refused the call, which the contract leaves open";
      return { ...check, rules: rulesOf(one), outcome: { kind: "left-out", reason } };
    }
    case "not-run": {
      const { reason, help } = result;
      const outcome = { kind: "errored", reason, ...(help === undefined ? {} : { help }), trace } as const;
      return { ...check, rules: rulesOf(one), outcome };
    }
  }
}

function toReportedRule({ id, text, untestable }: DaemonRule): ReportedRule {
  const [resource = id] = id.split(".", 1);
  return { id, text, resource, ...(untestable === undefined ? {} : { untestable }) };
}
