import { file_grpc_health_v1_health } from "../../../generated/grpc/health/v1/health_pb.js";
import { CouldNotRunError } from "../../base/could-not-run-error.js";
import { once } from "../../base/once.js";
import { packageVersion } from "../../base/versions.js";
import { operationsOf } from "../../contract/calls.js";
import type { RpcCase } from "../../contract/rpc/cases.js";
import { createRpcContract, emptyRequest, type RpcContract } from "../../contract/rpc/contract.js";
import { type RpcNames, renamedServices } from "../../contract/rpc/names.js";
import type { CheckOutcome, CheckResult } from "../../report/model/check-result.js";
import { toReportedRule, type VerifyReport } from "../../report/model/verify-report.js";
import type { Secret } from "../../secrets/secret.js";
import { maxAnswerBytes } from "../../wire/answer-limits.js";
import type { ClientCertificate } from "../../wire/client-certificate.js";
import {
  createRpcTransport,
  type RpcProtocol,
  type RpcTransport,
  type RpcTransportOptions,
} from "../../wire/rpc-transport.js";
import { speaksTls } from "../../wire/tls-probe.js";
import { createRecorder } from "../create-recorder.js";
import { createAllowance } from "../create-selection.js";
import { createPace } from "../pace.js";
import { createCodeGuard, maxCodeCalls } from "../run/code-guard.js";
import { createCreations } from "../run/creations.js";
import { discountRefusals } from "../run/discount-refusals.js";
import { type Effect, effects } from "../run/permission.js";
import { lackingOutcome, presenceCheck, reportsMissing, settlePresence } from "../run/presence-check.js";
import { createPresenceNotes } from "../run/presence-notes.js";
import { reportedOperations } from "../run/reported-operations.js";
import { type Runnable, runLanes } from "../run/run-lanes.js";
import { type CheckRun, runSteps } from "../run/run-steps.js";
import { createServerWatch } from "../run/server-watch.js";
import { type RunOptions, resolveRunOptions } from "../run-options.js";
import { statesEndpoint } from "../states/states-endpoint.js";
import type { RenewedToken } from "../token-command.js";
import type { Answer, CallRpc } from "./answer.js";
import { askWithoutMessage, createReflectionReader, listServices } from "./ask-without-acting.js";
import { callMetadata } from "./call-metadata.js";
import { caseCheck, idOf } from "./case-check.js";
import { waitsForLimit } from "./case-claims.js";
import { createCall } from "./create-call.js";
import { createRpcSession } from "./create-rpc-session.js";
import { createServerProbe } from "./create-server-probe.js";
import { checkDescriptors, createTypeReader, descriptorCheck } from "./descriptor-check.js";
import { lookAtServer } from "./look-at-server.js";
import { rpcChecksOf } from "./rpc-code-checks.js";
import { createRpcGate, effectOfRpc } from "./rpc-gate.js";
import { findRpcs, rpcsOf, runOfEmptyCall, watchCalls } from "./rpc-presence.js";
import { createRpcStates } from "./rpc-states.js";
import { runRpcCode } from "./run-rpc-code.js";
import { waitUntilQuiet, watchLog } from "./search-log.js";
import { rpcsOfCode, selectCases } from "./select-cases.js";

/** The server to verify, and the options of the run. */
export interface VerifyRpcOptions extends RunOptions {
  /** `unix:/path/to/socket`, `http://host:port` or `https://host:port`. */
  readonly address: string;
  /** Defaults to `grpc`. */
  readonly protocol?: RpcProtocol;
  /** The log file of the server, which checks in code search. */
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
  const {
    address,
    protocol = "grpc",
    logFile,
    names = {},
    jobs,
    timeoutMs,
    restartWaitMs,
    degree: givenDegree = "reads",
    rate,
  } = resolveRunOptions(options);
  const degree = options.statesUrl === undefined ? givenDegree : "everything";
  const { rules, methods, probes, files } = contract;
  const [firstMethod] = methods;
  if (firstMethod === undefined) throw new CouldNotRunError(`The contract ${contract.name} has no unary RPC`);
  const exclude = [...(contract.exclude ?? []), ...(options.exclude ?? [])];
  const selected = selectCases(contract, await rpcChecksOf(contract), { ...options, exclude });
  const { cases, codeChecks, areDescriptorsSelected, shard, beyond, isRpcSelected } = selected;
  const gate = createRpcGate(contract, { degree, exclude, exclusionOf: selected.exclusionOf });
  const pace = createPace(rate);
  const creations = createCreations();
  const recorder = createRecorder(options, rules);
  const { token, certificate } = options;
  const metadata = callMetadata(options.headers ?? [], token?.secret ?? options.account, token);
  const statesUrl = options.statesUrl === undefined ? undefined : statesEndpoint(options.statesUrl);
  const { transport, close } = connect(contract, { address, protocol, names, certificate });
  const log = logFile === undefined ? undefined : await watchLog(logFile).catch(couldNotRead(logFile));
  const { signal } = recorder;
  const means = { contract, transport, protocol, timeoutMs, metadata, signal, pace };
  const states =
    statesUrl === undefined
      ? {}
      : { states: createRpcStates(statesUrl, contract.states ?? { "x-states": {} }, { timeoutMs, signal }) };
  const reachMs = Math.min(timeoutMs, maxReachMs);
  const notes = createPresenceNotes();
  const calling = () => watchCalls(createCall(means), notes);
  const look = () => lookAtServer(address, protocol, { timeoutMs, signal, certificate });
  const watch = createServerWatch({ look, isDisposable: degree === "everything", restartWaitMs, signal });
  const watched = (id: string, calls: readonly string[], run: () => Promise<CheckRun>) =>
    watch.run({ id, calls, isRead: calls.every(contract.isRead), run });
  const watchedPresence = (rpc: string, run: () => Promise<CheckRun>) => watched(presenceCheck(rpc).id, [rpc], run);
  const callsOfCheck = new Map([
    ...cases.map((one) => [idOf(one), operationsOf(caseCheck(one, contract))] as const),
    ...codeChecks.map((check) => [check.id, rpcsOfCode(check, contract)] as const),
  ]);
  const isSelected = createAllowance(options);
  const isAllowed = (rpc: string) => isSelected({ id: rpc }) && gate.mayCall(rpc);
  const probe = createServerProbe(calling, contract, isAllowed);
  const target = {
    ...{ contract, address, protocol, names, metadata, createCall: calling, probe, ...states },
    ...{ mayCall: gate.mayCall, creations, onAnswer: watch.noteAnswer },
  };
  const guard = createCodeGuard(maxCodeCalls * timeoutMs);
  const code = {
    ...{ target, guard, signal, selected: selected.selectedIds },
    log: log && { path: log.path, search: log.search, untilQuiet: () => waitUntilQuiet(log.path, { signal }) },
  };
  /** Runs a check that the run may send, and whose RPCs the server has. */
  const sent = (id: string, run: () => Promise<CheckRun>) => async (): Promise<CheckRun> => {
    const calls = callsOfCheck.get(id) ?? [];
    const withheld = gate.withheld({ id, calls });
    const isExcluded = withheld?.kind === "skipped" && withheld.need?.kind === "exclusion";
    if (withheld !== undefined && isExcluded) return { outcome: withheld, isAnswered: true };
    const lacking = calls.filter(notes.lacks);
    if (lacking.length > 0) return { outcome: lackingOutcome(lacking), isAnswered: true };
    return withheld === undefined ? run() : { outcome: withheld, isAnswered: true };
  };
  const toRunnable = (one: RpcCase): Runnable => {
    const { steps, ...about } = caseCheck(one, contract);
    const run = () => runSteps({ ...about, steps }, createRpcSession(target, about.id));
    return { ...about, waits: waitsForLimit(one), run: sent(about.id, run) };
  };
  const runnableCode = codeChecks.map((check): Runnable => {
    const { calls: _, isLast: __, example, ...about } = check;
    const waits = example !== undefined && waitsForLimit(example);
    return {
      ...about,
      kind: check.id.startsWith("workflow ") ? "workflow" : "case",
      waits,
      run: sent(check.id, () => runRpcCode(check, code)),
    };
  });
  const describe = createTypeReader(transport, { timeoutMs, metadata, signal, pace });
  const describeTypes = () => checkDescriptors({ rules, files }, describe, names.package);
  const isLast = new Set(codeChecks.flatMap(({ id, isLast = false }) => (isLast ? id : [])));
  const effectOf = (id: string) =>
    Math.max(0, ...(callsOfCheck.get(id) ?? []).map((rpc) => effectOfRpc(rpc, contract))) as Effect;
  const runnables = [...cases.map(toRunnable), ...runnableCode];
  // What destroys comes last, so that it spoils nothing.
  const phases: readonly (readonly Runnable[])[] = [
    ...effects.map((effect) => runnables.filter(({ id }) => effectOf(id) === effect && !isLast.has(id))),
    [
      ...runnables.filter(({ id }) => isLast.has(id)),
      ...(areDescriptorsSelected ? [codeCheck(descriptorCheck(rules), describeTypes)] : []),
    ],
  ];
  const called = new Set([...callsOfCheck.values()].flat());
  const rpcs = methods.map(({ rpc }) => rpc).filter((rpc) => called.has(rpc) || isRpcSelected(rpc));
  const reached = [probes.reach ?? firstMethod.rpc, ...rpcs].find(isAllowed);
  const askReflection = createReflectionReader(contract, names, {
    describe,
    services: once(() => listServices(transport, { timeoutMs: reachMs, metadata, signal, pace })),
  });
  const withoutActing = async (rpc: string) => {
    const found = await askReflection(rpc);
    if (found !== undefined || degree === "reads") return found;
    return askWithoutMessage(rpc, contract, createCall({ ...means, timeoutMs: reachMs }));
  };
  const onCheck = (check: CheckResult) => recorder.add(check);
  let waitedMs = 0;
  try {
    const calledContract = reached === undefined ? healthContract : contract;
    const reaching = createCall({ ...means, contract: calledContract, timeoutMs: reachMs });
    const isUp = (await look()) === "up";
    const noteReached = reached === undefined ? undefined : watch.noteAnswer;
    // A call that ends a server, which answered before, is a finding.
    let ended: CheckOutcome | undefined;
    await unlessAborted(signal, async () => {
      const rpc = reached ?? healthCheck;
      const { outcome } = await watchedPresence(rpc, async () =>
        runOfEmptyCall(
          rpc,
          calledContract,
          await reachServer(calledContract, address, reaching, rpc, isUp),
          noteReached,
        ),
      );
      if (reached !== undefined && outcome.kind === "failed") ended = outcome;
    });
    recorder.plan(phases.flat().length + rpcs.filter(isRpcSelected).length);
    await unlessAborted(signal, () =>
      findRpcs(
        rpcs.filter((rpc) => !gate.isExcluded(rpc) && !(ended !== undefined && rpc === reached)),
        notes,
        {
          target: {
            ...target,
            createCall: () => watchCalls(createCall({ ...means, timeoutMs: reachMs }), notes),
          },
          ...{ isAllowed, withoutActing, watched: watchedPresence, jobs, signal },
          onFound: (rpc, outcome, durationMs) => {
            if (isRpcSelected(rpc) || reportsMissing(outcome, shard))
              recorder.add({ ...presenceCheck(rpc), outcome, durationMs });
          },
        },
      ),
    );
    if (ended !== undefined && reached !== undefined) {
      notes.note(reached, { kind: "there" });
      recorder.add({ ...presenceCheck(reached), outcome: ended, durationMs: 0 });
    }
    for (const rpc of rpcs.filter(gate.isExcluded)) {
      const check = presenceCheck(rpc);
      const outcome = gate.withheld({ id: check.id, calls: [] });
      if (outcome !== undefined && isRpcSelected(rpc)) recorder.add({ ...check, outcome, durationMs: 0 });
    }
    const runPhases = async () => {
      for (const checks of phases) {
        const lanes = checks.map((check) => [check]);
        waitedMs += await runLanes(lanes, {
          ...{ jobs, signal, onCheck },
          watched: ({ id, run }) => watched(id, callsOfCheck.get(id) ?? [], run),
        });
      }
    };
    await guard.during(runPhases(), recorder.stop);
    await watch.finish();
  } finally {
    guard.close();
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
    shard,
    operations: reportedOperations(
      rpcsOf(contract).filter(({ id }) => asked.has(id)),
      notes.all(),
      selected.checks,
      notes,
    ),
    degree,
    ...(creations.list().length === 0 ? {} : { created: creations.list() }),
    beyond,
    rules: rules.map(toReportedRule),
    existing: selected.existing,
  });
  const planned = new Map(contract.cases.map((one) => [idOf(one), caseCheck(one, contract)]));
  const settled = settlePresence(watch.blameLate(report.checks), notes, (id) => operationsOf(planned.get(id)));
  const accepted = new Map(methods.flatMap(({ rpc }) => (notes.hasSucceeded(rpc) ? [[rpc, new Set<string>()]] : [])));
  return {
    ...report,
    ...(watch.outages().length === 0 ? {} : { outages: watch.outages() }),
    checks: discountRefusals(settled, planned, accepted, anyCaller),
  };
}

/** The contract says of no parameter or RPC that servers refuse it for another reason. */
const anyCaller = { hasParameter: () => false, needsLogin: () => false };

/** The standard service whose call tells whether a server responds, if the run may call no RPC of the contract. */
const healthContract = createRpcContract({
  ...{ name: "health", version: "", schema: "", files: [file_grpc_health_v1_health] },
  ...{ rules: [], clientRules: [], cases: [], probes: {}, isSecret: () => false },
});
const healthCheck = "Health/Check";

/** How long to wait for the first response, in milliseconds. A slower server may still respond to the cases. */
export const maxReachMs = 5_000;

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
      // A connection that the server closes as idle must not look like one that a call ended.
      connectionPerCall: true,
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
async function reachServer(
  contract: RpcContract,
  address: string,
  callRpc: CallRpc,
  rpc: string,
  isUp: boolean,
): Promise<Answer> {
  const answer = await callRpc(rpc, emptyRequest(contract, rpc));
  // A server that answered a ping may have been ended by the call, which is a finding.
  if (answer.kind === "unreachable" && !(isUp && answer.isDropped)) {
    if (address.startsWith("http:") && (await speaksTls(address)))
      throw new CouldNotRunError(`The server at ${address} speaks TLS: write https:// instead of http://`);
    throw new CouldNotRunError(`The server at ${address} cannot be reached: ${answer.text}. ${answer.help}`);
  }
  return answer;
}
