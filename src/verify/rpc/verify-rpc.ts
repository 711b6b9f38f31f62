import { file_grpc_health_v1_health } from "../../../generated/grpc/health/v1/health_pb.js";
import { CouldNotRunError } from "../../base/could-not-run-error.js";
import { once } from "../../base/once.js";
import { operationsOf } from "../../contract/calls.js";
import type { Check } from "../../contract/check.js";
import type { RpcCase } from "../../contract/rpc/cases.js";
import { createRpcContract, emptyRequest, type RpcContract } from "../../contract/rpc/contract.js";
import { type RpcNames, renamedServices } from "../../contract/rpc/names.js";
import { neverEnds } from "../../contract/served-host.js";
import type { CallRpc, RpcAnswer } from "../../judge/rpc/answer.js";
import type { CheckOutcome } from "../../report/model/check-result.js";
import type { VerifyReport } from "../../report/model/verify-report.js";
import type { Secret } from "../../secrets/secret.js";
import { maxAnswerBytes } from "../../wire/answer-limits.js";
import {
  createRpcTransport,
  type RpcProtocol,
  type RpcTransport,
  type RpcTransportOptions,
} from "../../wire/rpc-transport.js";
import { speaksTls } from "../../wire/tls-probe.js";
import { createAllowance, createOperationMatcher } from "../create-selection.js";
import { derivedPlan, isWithinDepth } from "../run/at-depth.js";
import { maxRemovingMs } from "../run/creations.js";
import { createGate } from "../run/gate.js";
import { effects } from "../run/permission.js";
import { presenceCheck } from "../run/presence-check.js";
import { type Runnable, toRunnable } from "../run/run-lanes.js";
import { type Run, runPlan, type StartedRun } from "../run/run-plan.js";
import type { CheckRun } from "../run/run-steps.js";
import { runTerms, type ServerOptions } from "../run/run-terms.js";
import { skipInVain } from "../run/skip-in-vain.js";
import type { RenewedToken } from "../token-command.js";
import { createServerReflection } from "./ask-reflection.js";
import { askWithoutMessage, createReflectionReader } from "./ask-without-acting.js";
import { callMetadata } from "./call-metadata.js";
import { createCall } from "./create-call.js";
import { createRpcSession } from "./create-rpc-session.js";
import { createServerProbe } from "./create-server-probe.js";
import { checkDescriptors } from "./descriptor-check.js";
import { lookAtServer } from "./look-at-server.js";
import { rpcChecksOf } from "./rpc-code-checks.js";
import { createRpcCreations } from "./rpc-creations.js";
import { effectOfRpc, rpcOperations } from "./rpc-operations.js";
import { findRpcs, rpcsOf, runOfEmptyCall, watchCalls } from "./rpc-presence.js";
import { createRpcStates } from "./rpc-states.js";
import { runRpcCode } from "./run-rpc-code.js";
import { waitUntilQuiet, watchLog } from "./search-log.js";
import { selectCases } from "./select-cases.js";

/** The server to verify, and the options of the run. */
export interface VerifyRpcOptions extends ServerOptions {
  /** `unix:/path/to/socket`, `http://host:port` or `https://host:port`. */
  readonly address: string;
  /** Defaults to `grpc`. */
  readonly protocol?: RpcProtocol;
  /** The log file of the server, which checks in code search. */
  readonly logFile?: string;
  /** The names of its services, if they differ from those of the contract. */
  readonly names?: RpcNames;
  /** Sent with every call as `authorization`: `NAME:PASSWORD` as Basic credentials, any other text as a bearer token. */
  readonly account?: Secret;
  /** The account of somebody else, for the calls that are made as one. */
  readonly other?: Secret;
  /** The bearer token of each call, instead of an account. */
  readonly token?: RenewedToken;
}

/**
 * Runs the cases of a contract against a server, and reports which rules it keeps. If cases have hosts, the server must be able to fetch from
 * the loopback interface.
 *
 * Rejects with a `CouldNotRunError` if the contract has no unary RPC, the address or a name is malformed, the server is unreachable, an option
 * is out of bounds, the log is unreadable, the selection matches nothing, or the signal was aborted before the first check was complete.
 */
export async function verifyRpc(whole: RpcContract, options: VerifyRpcOptions): Promise<VerifyReport> {
  const terms = runTerms(whole, options);
  const { jobs, timeoutMs, pace, exclude, statesUrl, degree, depth } = terms;
  const isWithin = ({ derived }: RpcCase) => derived === undefined || isWithinDepth({ derived: derived.depth }, depth);
  const contract = { ...whole, cases: whole.cases.filter(isWithin) };
  const { address, protocol = "grpc", logFile, names = {}, token, certificate } = options;
  const { rules, methods, probes, files } = contract;
  const [firstMethod] = methods;
  if (firstMethod === undefined) throw new CouldNotRunError(`The contract ${contract.name} has no unary RPC`);
  const selected = selectCases(contract, await rpcChecksOf(contract), { ...options, exclude });
  const { checks, codeChecks, descriptors, isSelected } = selected;
  const operations = rpcOperations(contract);
  const gate = createGate({
    ...{ degree, operations, exclude, exclusionOf: selected.exclusionOf, basePath: "" },
    ...{ refusesOutsiders: false, hasStates: false, hasCallers: true },
  });
  const planned = new Map<string, Check>([...checks, ...codeChecks, ...descriptors].map((check) => [check.id, check]));
  const callsOf = (id: string) => operationsOf(planned.get(id));
  const creations = createRpcCreations(contract);
  const metadata = callMetadata(options.headers ?? [], token?.secret ?? options.account, token, options.other);
  const { transport, close } = connect(contract, { address, protocol, names, certificate });
  const log = logFile === undefined ? undefined : await watchLog(logFile).catch(couldNotRead(logFile));
  const derived = derivedPlan(
    checks.filter((check) => gate.withheld(check.id, check) === undefined),
    depth,
    (rpc) => effectOfRpc(rpc, contract) === 1,
  );
  if (derived !== undefined) options.onDerived?.(derived);
  const [isNamed, isClosed] = [createAllowance(options), createOperationMatcher(exclude)];
  const mayCall = (rpc: string) => (degree === "everything" || contract.isRead(rpc)) && !isClosed({ id: rpc });
  const isExcluded = (rpc: string) => gate.isExcluded({ operationId: rpc, title: rpc });
  const isAllowed = (rpc: string) => isNamed({ id: rpc }) && mayCall(rpc);

  const start = ({ signal, notes, watch, guard, onCheck, onFound }: Run): StartedRun => {
    const means = { contract, transport, protocol, timeoutMs, metadata, signal, pace };
    const reachMs = Math.min(timeoutMs, maxReachMs);
    const states =
      statesUrl && createRpcStates(statesUrl, contract.states ?? { "x-states": {} }, { timeoutMs, signal });
    const calling = () => watchCalls(createCall(means), notes);
    const look = () => lookAtServer(address, protocol, { timeoutMs, signal, certificate });
    const watchedPresence = (rpc: string, run: () => Promise<CheckRun>) =>
      watch.run({ id: presenceCheck(rpc).id, calls: [rpc], isRead: contract.isRead(rpc), run });
    const probe = createServerProbe(calling, contract, isAllowed);
    const target = {
      ...{ contract, address, protocol, names, metadata, createCall: calling, probe },
      ...(states && { states }),
      ...{ mayCall, creations, onAnswer: watch.noteAnswer },
    };
    const createSession = (id: string) => createRpcSession(target, id);
    const code = {
      ...{ target, guard, signal, selected: selected.selectedIds },
      log: log && { path: log.path, search: log.search, untilQuiet: () => waitUntilQuiet(log.path, { signal }) },
    };
    const runnables = [
      ...checks.map((check) => toRunnable(check, createSession)),
      ...codeChecks.map((check): Runnable => {
        const { steps: _, example: __, isLast: ___, ...about } = check;
        return { ...about, run: () => runRpcCode(check, code) };
      }),
    ].map((one) => {
      const waits = planned.get(one.id)?.steps.some((step) => step.kind === "serve" && neverEnds(step.host));
      return skipInVain({ ...one, waits }, { notes, gate, callsOf, planned });
    });
    const reflection = createServerReflection(transport, { timeoutMs, metadata, signal, pace });
    const describedTypes = descriptors.map(({ steps: _, ...check }): Runnable => {
      const run = () => checkDescriptors({ rules, files }, reflection.describe, names.package);
      return { ...check, run: async () => ({ outcome: await run(), isAnswered: true }) };
    });
    const isLast = new Set(codeChecks.flatMap(({ id, isLast = false }) => (isLast ? id : [])));
    const effectOf = (id: string) => gate.effectOfCheck(planned.get(id) as Check);
    // A request with made-up values alone may spoil what the others need.
    const isBlind = new Set(
      checks.flatMap(({ id, kind, steps }) => (kind === "probe" && steps.length === 1 ? id : [])),
    );
    const inOrder = [false, true].flatMap((blind) => effects.map((effect) => ({ blind, effect })));
    // What destroys comes last, so that it spoils nothing.
    const parts: readonly (readonly Runnable[])[] = [
      ...inOrder.map(({ blind, effect }) =>
        runnables.filter(({ id }) => effectOf(id) === effect && isBlind.has(id) === blind && !isLast.has(id)),
      ),
      [...runnables.filter(({ id }) => isLast.has(id)), ...describedTypes],
    ];
    const called = new Set([...planned.values()].flatMap(operationsOf));
    const rpcs = methods.map(({ rpc }) => rpc).filter((rpc) => called.has(rpc) || isSelected(presenceCheck(rpc).id));
    const reached = [probes.reach ?? firstMethod.rpc, ...rpcs].find(isAllowed);
    const quickly = createServerReflection(transport, { timeoutMs: reachMs, metadata, signal, pace });
    const askReflection = createReflectionReader(contract, names, { ...reflection, services: once(quickly.services) });
    const withoutActing = async (rpc: string) => {
      const found = await askReflection(rpc);
      if (found !== undefined || degree === "reads") return found;
      return askWithoutMessage(rpc, contract, createCall({ ...means, timeoutMs: reachMs }));
    };
    // A call that ends a server, which answered before, is a finding.
    let ended: CheckOutcome | undefined;
    const reach = async () => {
      const calledContract = reached === undefined ? healthContract : contract;
      const reaching = createCall({ ...means, contract: calledContract, timeoutMs: reachMs });
      const isUp = (await look()) === "up";
      const noteReached = reached === undefined ? undefined : watch.noteAnswer;
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
    };
    const ask = async () => {
      const asked = rpcs.filter((rpc) => !isExcluded(rpc) && !(ended !== undefined && rpc === reached));
      const createReaching = () => watchCalls(createCall({ ...means, timeoutMs: reachMs }), notes);
      await findRpcs(asked, notes, {
        ...{ target: { ...target, createCall: createReaching }, isAllowed, withoutActing },
        ...{ watched: watchedPresence, jobs, signal, onFound },
      });
      if (ended !== undefined && reached !== undefined) {
        notes.note(reached, { kind: "there" });
        onCheck({ ...presenceCheck(reached), outcome: ended, durationMs: 0 });
      }
      for (const rpc of rpcs.filter(isExcluded)) {
        const outcome = gate.withheld(presenceCheck(rpc).id, undefined);
        if (outcome !== undefined) onFound(rpc, outcome);
      }
    };
    return {
      ...{ look, createSession, reach: () => unlessAborted(signal, reach) },
      phases: parts.map((part, index) => ({
        ...(index === 0 ? { ask: () => unlessAborted(signal, ask) } : {}),
        lanes: () => part.map((check) => [check]),
      })),
      operations: () => ({
        known: rpcsOf(contract).filter(({ id }) => rpcs.includes(id)),
        presence: notes.all(),
        hasSucceeded: notes.hasSucceeded,
      }),
      facts: (_, waitedMs) => ({ waitedMs: Math.round(waitedMs) }),
      removeLeft: () => {
        const { signal: unstopped } = new AbortController();
        return creations.remove(createCall({ ...means, signal: unstopped, timeoutMs: maxRemovingMs }), mayCall);
      },
      created: creations.list,
      close: async () => {
        close();
        await log?.close();
      },
    };
  };
  return runPlan({
    ...{ contract, rules, target: address, options, terms, gate, planned, callsOf, isSelected, start },
    listed: () => selected,
  });
}

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
): Promise<RpcAnswer> {
  const answer = await callRpc(rpc, emptyRequest(contract, rpc));
  // A server that answered a ping may have been ended by the call, which is a finding.
  if (answer.kind === "unreachable" && !(isUp && answer.isDropped)) {
    if (address.startsWith("http:") && (await speaksTls(address)))
      throw new CouldNotRunError(`The server at ${address} speaks TLS: write https:// instead of http://`);
    throw new CouldNotRunError(`The server at ${address} cannot be reached: ${answer.text}. ${answer.help}`);
  }
  return answer;
}
