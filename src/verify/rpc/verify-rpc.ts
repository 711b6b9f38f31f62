import { packageVersion } from "../../base/versions.js";
import { operationsOf } from "../../contract/calls.js";
import type { RpcCase } from "../../contract/rpc/cases.js";
import { emptyRequest, type RpcContract } from "../../contract/rpc/contract.js";
import { type RpcNames, renamedServices } from "../../contract/rpc/names.js";
import type { Secret } from "../../secrets/secret.js";
import type { ClientCertificate } from "../../wire/client-certificate.js";
import {
  createRpcTransport,
  type RpcProtocol,
  type RpcTransport,
  type RpcTransportOptions,
} from "../../wire/rpc-transport.js";
import { speaksTls } from "../../wire/tls-probe.js";
import { maxAnswerBytes } from "../answer-limits.js";
import { CouldNotRunError } from "../could-not-run-error.js";
import { createRecorder } from "../create-recorder.js";
import { createAllowance } from "../create-selection.js";
import type { CheckOutcome, CheckResult } from "../model/check-result.js";
import { toReportedRule, type VerifyReport } from "../model/verify-report.js";
import { discountRefusals } from "../run/discount-refusals.js";
import { lackingOutcome, presenceCheck, reportsMissing, settlePresence } from "../run/presence-check.js";
import { createPresenceNotes } from "../run/presence-notes.js";
import { reportedOperations } from "../run/reported-operations.js";
import { type Runnable, runLanes } from "../run/run-lanes.js";
import { runSteps } from "../run/run-steps.js";
import { type RunOptions, resolveRunOptions } from "../run-options.js";
import { statesEndpoint } from "../states/states-endpoint.js";
import type { RenewedToken } from "../token-command.js";
import type { CallRpc } from "./answer.js";
import { callMetadata } from "./call-metadata.js";
import { caseCheck, idOf, waitsForLimit } from "./case-check.js";
import { checkLog, logCheck } from "./check-log.js";
import { createCall } from "./create-call.js";
import { createRpcSession } from "./create-rpc-session.js";
import { createServerProbe } from "./create-server-probe.js";
import { checkDescriptors, createTypeReader, descriptorCheck } from "./descriptor-check.js";
import type { RepeatedTarget } from "./repeat-command.js";
import { findRpcs, rpcsOf, watchCalls } from "./rpc-presence.js";
import { createRpcStates } from "./rpc-states.js";
import { watchLog } from "./search-log.js";
import { selectCases } from "./select-cases.js";

/** The server to verify, and the options of the run. */
export interface VerifyRpcOptions extends RunOptions {
  /** `unix:/path/to/socket`, `http://host:port` or `https://host:port`. */
  readonly address: string;
  /** Defaults to `grpc`. */
  readonly protocol?: RpcProtocol;
  /** The log file of the server, which is searched for the secrets of the run. */
  readonly logFile?: string;
  /** The names of its services, if they differ from those of the contract. */
  readonly names?: RpcNames;
  /** The URL for setups of provider states. Without it, cases that need them are skipped. */
  readonly statesUrl?: string;
  /** Metadata of every call, such as `x-tenant: acme`. What looks like a credential is masked. */
  readonly headers?: readonly string[];
  /** Sent with every call as `authorization`: `NAME:PASSWORD` as Basic credentials, any other text as a bearer token. */
  readonly account?: Secret;
  /** The bearer token of each call, instead of an account. */
  readonly token?: RenewedToken;
  /** Shown if the server asks for one. */
  readonly certificate?: ClientCertificate;
}

/**
 * Runs the cases of a contract against a server, and reports which rules it keeps. If cases have hosts, the server must be able to fetch from
 * the loopback interface.
 *
 * Rejects with a `CouldNotRunError` if the contract has no unary RPC, the address or a name is malformed, the server is unreachable, an option
 * is out of bounds, the log is unreadable, the selection matches nothing, or the signal was aborted before the first check was complete.
 */
export async function verifyRpc(contract: RpcContract, options: VerifyRpcOptions): Promise<VerifyReport> {
  const { address, protocol = "grpc", logFile, names = {}, jobs, timeoutMs } = resolveRunOptions(options);
  const { rules, methods, probes, files } = contract;
  const [firstMethod] = methods;
  if (firstMethod === undefined) throw new CouldNotRunError(`The contract ${contract.name} has no unary RPC`);
  const selected = selectCases(contract, options, { hasLog: logFile !== undefined });
  const { first, withSecrets, isLogSelected, areDescriptorsSelected, afterwards, reported, shard, beyond } = selected;
  const { isRpcSelected } = selected;
  const recorder = createRecorder(options, rules);
  const { token, certificate } = options;
  const metadata = callMetadata(options.headers ?? [], token?.secret ?? options.account, token);
  const statesUrl = options.statesUrl === undefined ? undefined : statesEndpoint(options.statesUrl);
  const { transport, close } = connect(contract, { address, protocol, names, certificate });
  const log = logFile === undefined ? undefined : await watchLog(logFile).catch(couldNotRead(logFile));
  const { signal } = recorder;
  const means = { contract, transport, protocol, timeoutMs, metadata, signal };
  const states =
    statesUrl === undefined
      ? {}
      : { states: createRpcStates(statesUrl, contract.states ?? { "x-states": {} }, { timeoutMs, signal }) };
  const reachMs = Math.min(timeoutMs, maxReachMs);
  const notes = createPresenceNotes();
  const calling = () => watchCalls(createCall(means), notes, contract);
  const mayCall = createAllowance(options);
  const isAllowed = (rpc: string) => mayCall({ id: rpc });
  const probe = createServerProbe(calling, contract, isAllowed);
  const target = { contract, address, protocol, names, metadata, createCall: calling, probe, ...states };
  const toRunnable = (one: RpcCase): Runnable => {
    const { steps, ...about } = caseCheck(one, contract);
    const run = async () => {
      const lacking = operationsOf({ steps }).filter(notes.lacks);
      if (lacking.length > 0) return { outcome: lackingOutcome(lacking), isAnswered: true };
      return runSteps({ ...about, steps }, createRpcSession(target, one));
    };
    return { ...about, waits: waitsForLimit(one), run };
  };
  const searchLog = async () => {
    const didFetch = log !== undefined && (await probe.fetches());
    return checkLog(log, { cases: withSecrets, rules, didFetch, signal });
  };
  const describe = createTypeReader(transport, { timeoutMs, metadata, signal });
  const describeTypes = () => checkDescriptors({ rules, files }, describe, names.package);
  const phases: readonly (readonly Runnable[])[] = [
    first.map(toRunnable),
    [
      ...(isLogSelected ? [codeCheck(logCheck(rules), searchLog)] : []),
      ...(areDescriptorsSelected ? [codeCheck(descriptorCheck(rules), describeTypes)] : []),
    ],
    afterwards.map(toRunnable),
  ];
  const called = new Set([...first, ...afterwards].flatMap((one) => operationsOf(caseCheck(one, contract))));
  const rpcs = methods.map(({ rpc }) => rpc).filter((rpc) => called.has(rpc) || isRpcSelected(rpc));
  const reached = [probes.reach ?? firstMethod.rpc, ...rpcs].find(isAllowed) ?? firstMethod.rpc;
  const unreported = new Set(withSecrets.filter((one) => !reported.has(one)).map(idOf));
  const onCheck = (check: CheckResult) => {
    if (!unreported.has(check.id)) recorder.add(check);
  };
  let waitedMs = 0;
  try {
    await unlessAborted(signal, () => reachServer(target, createCall({ ...means, timeoutMs: reachMs }), reached));
    recorder.plan(phases.flat().length - unreported.size + rpcs.filter(isRpcSelected).length);
    await unlessAborted(signal, () =>
      findRpcs(rpcs, notes, {
        target: {
          ...target,
          createCall: () => watchCalls(createCall({ ...means, timeoutMs: reachMs }), notes, contract),
        },
        ...{ isAllowed, jobs, signal },
        onFound: (rpc, outcome, durationMs) => {
          if (isRpcSelected(rpc) || reportsMissing(outcome, shard))
            recorder.add({ ...presenceCheck(rpc), outcome, durationMs });
        },
      }),
    );
    for (const checks of phases) {
      const lanes = checks.map((check) => [check]);
      waitedMs += await runLanes(lanes, { jobs, signal, onCheck });
    }
  } finally {
    close();
    await log?.close();
  }
  const asked = new Set(rpcs);
  const report = recorder.report({
    contract: contract.name,
    version: contract.version,
    packageVersion,
    target: address,
    waitedMs: Math.round(waitedMs),
    ...(shard === undefined ? {} : { shard }),
    operations: reportedOperations(
      rpcsOf(contract).filter(({ id }) => asked.has(id)),
      notes.all(),
      selected.checks,
      notes,
    ),
    ...(beyond === undefined ? {} : { beyond }),
    rules: rules.map(toReportedRule),
    existing: selected.existing,
  });
  const planned = new Map(contract.cases.map((one) => [idOf(one), caseCheck(one, contract)]));
  const settled = settlePresence(report.checks, notes, (id) => operationsOf(planned.get(id)));
  const accepted = new Map(methods.flatMap(({ rpc }) => (notes.hasSucceeded(rpc) ? [[rpc, new Set<string>()]] : [])));
  return { ...report, checks: discountRefusals(settled, planned, accepted, anyCaller) };
}

/** The contract says of no parameter or RPC that servers refuse it for another reason. */
const anyCaller = { hasParameter: () => false, needsLogin: () => false };

/** How long to wait for the first response, in milliseconds. A slower server may still respond to the cases. */
const maxReachMs = 5_000;

/** Ignores the errors of aborted work. */
async function unlessAborted(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function connect(
  { files }: RpcContract,
  {
    names,
    ...options
  }: Required<Pick<VerifyRpcOptions, "address" | "protocol" | "names">> & Pick<RpcTransportOptions, "certificate">,
): RpcTransport {
  try {
    return createRpcTransport({
      ...options,
      usesProxy: true,
      renamed: renamedServices(files, names),
      maxBytes: maxAnswerBytes,
    });
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
 * Calls an RPC with an empty request. Rejects with a `CouldNotRunError` if the server cannot be reached, so that one error reports it
 * instead of one per case. Ignores every other result; the cases judge it.
 */
async function reachServer({ contract, address }: RepeatedTarget, callRpc: CallRpc, rpc: string): Promise<void> {
  const answer = await callRpc(rpc, emptyRequest(contract, rpc));
  if (answer.kind === "unreachable") {
    if (address.startsWith("http:") && (await speaksTls(address)))
      throw new CouldNotRunError(`The server at ${address} speaks TLS: write https:// instead of http://`);
    throw new CouldNotRunError(`The server at ${address} cannot be reached: ${answer.text}. ${answer.help}`);
  }
}
