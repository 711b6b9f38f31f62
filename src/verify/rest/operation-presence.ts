import { CouldNotRunError } from "../../base/could-not-run-error.js";
import type { CallStep, Check, StateStep } from "../../contract/check.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import { baseState, baseSteps } from "../../contract/rest/states.js";
import type { Exchange } from "../../judge/exchange.js";
import { MissingValueError } from "../../judge/expressions.js";
import type { CheckOutcome, ReportedExchange } from "../../report/model/check-result.js";
import { groupBy } from "../../text/group-by.js";
import { UnexpectedTlsError } from "../../wire/tls-probe.js";
import { type CaseContext, caseCheck, exampleCall } from "../derive/case-checks.js";
import { statesOf, successesOf } from "../derive/probe.js";
import { isSafe } from "../http/call-http.js";
import { NoAnswerError } from "../http/no-answer-error.js";
import { endWithoutAnswer } from "../run/lost-request.js";
import { findPresence, type Presence } from "../run/presence.js";
import { presenceCheck, presenceOutcome } from "../run/presence-check.js";
import type { PresenceNotes } from "../run/presence-notes.js";
import { type CheckRun, prepare } from "../run/run-steps.js";
import type { ServerWatch } from "../run/server-watch.js";
import { NotApplicableError, type Session } from "../run/session.js";
import { runAll } from "../run-all.js";
import { StateSetupError } from "../states/states-client.js";
import type { KnownValues } from "./known-values.js";

/** A path below that of the API that no API has. */
export const nowhere = "/accord-no-such-operation";

/** How to ask for operations. */
export interface PresenceOptions {
  /** The URL of the API. */
  readonly url: string;
  readonly context: CaseContext;
  readonly createSession: (name: string) => Session;
  /** What the calls say of the operations. */
  readonly notes: PresenceNotes;
  readonly watch: ServerWatch;
  /** The values that the calls send, and learn. */
  readonly known: KnownValues;
  /** The requests to try. Defaults to cases that succeed, then the examples of the contract. */
  readonly candidates?: (operation: ProbedOperation) => readonly Candidate[];
  /** What is tried before the candidates. Resolves to undefined if it tells nothing. */
  readonly withoutActing?: (operation: ProbedOperation) => Promise<Presence | undefined>;
  /** Whether the run may not do everything. Defaults to false. */
  readonly isRestricted?: boolean;
  /** Whether an earlier call got a response. Otherwise, the first ones say whether anything listens and responds. Defaults to false. */
  readonly hasAnswered?: boolean;
  /** Whether a request for a path that no API has gets any response. */
  readonly isAnswering: () => Promise<boolean>;
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly onFound: (operation: ProbedOperation, outcome: CheckOutcome, durationMs: number) => void;
}

/**
 * Finds out which operations a server has, each by the request of a case that succeeds, or else by the examples of the contract. Without
 * provider states, the requests carry no credentials. A server that does not answer has every operation, for the checks to judge. A request
 * that ends the server is a finding. Ends early if the run is aborted.
 */
export async function findOperations(
  operations: readonly ProbedOperation[],
  { url, context, createSession, notes, watch, known, candidates, jobs, signal, onFound, ...options }: PresenceOptions,
): Promise<void> {
  const { withoutActing, isRestricted = false, hasAnswered = false, isAnswering } = options;
  const { hasStates } = createSession("");
  const basePath = new URL(url).pathname.replace(/\/+$/, "");
  let isReached = hasAnswered;
  /** Why the first request got no response, if none did. */
  let silent: NoAnswerError | undefined;
  const find = async (operation: ProbedOperation) => {
    const started = performance.now();
    try {
      const early = await withoutActing?.(operation);
      let tried: Tried = { presence: early ?? { kind: "there" }, trace: async () => [] };
      const { outcome: survived } = await watch.run({
        id: presenceCheck(operation.operationId).id,
        calls: [operation.operationId],
        isRead: isSafe(operation.method),
        run: async () => {
          if (early !== undefined) return runOf(tried);
          const requests = candidates?.(operation) ?? candidatesOf(operation, context);
          tried = await tryCandidates(operation, requests, basePath, createSession);
          const { failure, answer } = tried;
          isReached ||= answer !== undefined || failure?.kind === "busy" || failure?.kind === "gateway";
          if (!isReached && failure?.kind === "unreachable") throw nothingListens(url, failure);
          if (!isReached && failure !== undefined) {
            isReached = await isAnswering();
            if (!isReached && failure.kind === "timeout") throw nothingResponds(url, failure);
            silent ??= failure;
          }
          return runOf(tried);
        },
      });
      if (survived.kind !== "passed") {
        notes.note(operation.operationId, { kind: "there" });
        return onFound(operation, survived, performance.now() - started);
      }
      const { answer } = tried;
      const presence = isRestricted && isUnasked(tried.presence) ? restricted : tried.presence;
      const isMissing = presence.kind === "not-implemented";
      if (isSuccess(answer)) known.learn(operation, answer.body);
      notes.note(operation.operationId, isMissing ? { ...presence, certainty: "strong" } : presence);
      const found = notes.find(operation.operationId) ?? presence;
      const outcome = wrongAnswer(operation, found, answer) ?? presenceOutcome(found, hasStates);
      const traced = outcome.kind === "failed" ? { ...outcome, trace: await tried.trace() } : outcome;
      onFound(operation, traced, performance.now() - started);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  // What a path lists is known when the paths below it are asked for. The first call says whether anything listens.
  for (const [, level] of groupBy([...operations].sort(byDepth), (one) => String(depthOf(one)))) {
    const others = [...level];
    while (!isReached && others.length > 0 && !signal.aborted) await find(others.shift() as ProbedOperation);
    await runAll(others, jobs, find, signal);
  }
  // Some servers close the connection of any path that they do not know, but none closes all.
  if (!isReached && silent !== undefined && !signal.aborted) throw nothingResponds(url, silent);
}

/** How many parameters the path of an operation has. */
function depthOf({ path }: ProbedOperation): number {
  return path.split("{").length - 1;
}

function byDepth(one: ProbedOperation, other: ProbedOperation): number {
  return depthOf(one) - depthOf(other);
}

function isSuccess(answer: Exchange | undefined): answer is Exchange {
  return answer !== undefined && Number(answer.status) < 300 && answer.contractProblems().length === 0;
}

/** Notes for a server without any operation that it also lacks those which it refused for the example in the path. */
export function noteNone(operations: readonly ProbedOperation[], notes: PresenceNotes): void {
  const all = operations.map(({ operationId }) => ({ operationId, found: notes.find(operationId) }));
  const isNone = all.some(({ found }) => found?.kind === "not-implemented");
  if (!isNone || all.some(({ found }) => found?.kind === "there")) return;
  for (const { operationId, found } of all)
    if (found?.kind === "unknown" && found.missing !== undefined)
      notes.note(operationId, { kind: "not-implemented", why: found.missing });
}

/** What the server watch is told of a try. */
async function runOf({ failure, trace }: Tried): Promise<CheckRun> {
  if (failure === undefined) return { outcome: { kind: "passed" }, isAnswered: true };
  const { kind, reason, lost } = endWithoutAnswer(failure, []);
  if (kind === "not-shown") return { outcome: { kind: "skipped", reason }, isAnswered: true, lost };
  return { outcome: { kind: "errored", reason, trace: await trace() }, isAnswered: false, lost };
}

/** What is known of an operation for which no request that may be sent asks. */
const restricted: Presence = { kind: "unknown", isUnasked: true, isRestricted: true };

function isUnasked(presence: Presence): boolean {
  return presence.kind === "unknown" && presence.isUnasked === true;
}

function nothingListens(url: string, failure: NoAnswerError | undefined): CouldNotRunError {
  const reason = failure?.message.replace(/^no answer: /, "");
  const advice = failure?.cause instanceof UnexpectedTlsError ? "" : ". Start the server, or correct the URL";
  return new CouldNotRunError(`${url} does not answer: ${reason}${advice}`);
}

function nothingResponds(url: string, { message }: NoAnswerError): CouldNotRunError {
  const reason = message.replace(/^no answer: /, "");
  const advice = "Correct the URL, or allow more time by --timeout";
  return new CouldNotRunError(`${url} accepts connections, but has answered no request: ${reason}. ${advice}`);
}

/** The outcome if the answer to a valid request is a success or a failure of the server that the document does not describe. */
function wrongAnswer(
  { implied }: ProbedOperation,
  { kind }: Presence,
  answer: Exchange | undefined,
): CheckOutcome | undefined {
  if (implied === undefined || kind !== "there" || answer === undefined) return undefined;
  // Probes judge refusals.
  const isRefused = Number(answer.status) >= 400 && Number(answer.status) < 500;
  const problems = isRefused ? [] : answer.contractProblems().map(({ text }) => text);
  if (problems.length === 0) return undefined;
  return { kind: "failed", problems, broken: [implied.response], forbidden: true, trace: [] };
}

/** A call, and the states that it needs. */
export interface Candidate {
  readonly states: readonly StateStep[];
  readonly call: CallStep;
  /** Whether its path has a malformed id. Defaults to false. */
  readonly isMalformed?: boolean;
}

/** What the candidates of an operation told. */
interface Tried {
  readonly presence: Presence;
  /** The last response to a candidate. */
  readonly answer?: Exchange;
  /** Why there was no response. */
  readonly failure?: NoAnswerError;
  readonly trace: () => Promise<readonly ReportedExchange[]>;
}

async function tryCandidates(
  operation: ProbedOperation,
  candidates: readonly Candidate[],
  basePath: string,
  createSession: (name: string) => Session,
): Promise<Tried> {
  const trace = async () => [];
  const name = `presence of ${operation.operationId}`;
  if (candidates.length === 0) return { presence: { kind: "unknown", isUnasked: true }, trace };
  let unknown: Tried | undefined;
  for (const { states, call, isMalformed = false } of candidates) {
    const session = createSession(name);
    if (states.length > 0 && !session.hasStates) continue;
    const check: Check = {
      id: name,
      kind: "probe",
      operation: operation.operationId,
      summary: "",
      rules: [],
      steps: states,
    };
    const prepared = await prepare(check, session);
    // A server may lack the states of one case and have those of another.
    if ("outcome" in prepared) continue;
    const send = (step: CallStep) => session.call(step, prepared.scope);
    const to = (step: CallStep): CallStep => ({
      ...{ kind: "call", id: step.id, as: step.as, with: {}, expect: [] },
      request: {
        ...{ method: operation.method, url: `${basePath}${nowhere}` },
        body: step.sent?.body === undefined ? undefined : { text: step.sent.body },
      },
      headers: step.sent?.type === undefined ? undefined : { "Content-Type": step.sent.type },
    });
    let answer: Exchange | undefined;
    try {
      answer = await send(call);
      const presence = await findPresence({
        valid: answer,
        ...(operation.needsLogin && call.as !== "nobody" ? { anonymous: () => send({ ...call, as: "nobody" }) } : {}),
        nowhere: () => send(to(call)),
        ...{ isMalformed, isUnreadable: call.sent?.body !== undefined },
      });
      const tried = { presence, answer, trace: session.trace };
      // Credentials may tell the operation from any other path.
      if (presence.kind !== "unknown") return tried;
      unknown = tried;
    } catch (error) {
      const { trace } = session;
      if (error instanceof NoAnswerError) return { presence: { kind: "there" }, failure: error, trace, answer };
      // Another candidate may need neither the caller nor the value that this one lacks.
      if (![NotApplicableError, StateSetupError, MissingValueError].some((kind) => error instanceof kind)) throw error;
    }
  }
  return unknown ?? { presence: { kind: "there" }, trace };
}

/** How many successes are tried. */
const maxSuccesses = 3;

function candidatesOf(operation: ProbedOperation, context: CaseContext): Candidate[] {
  const [first] = operation.cases;
  const successes = successesOf(operation)
    .slice(0, maxSuccesses)
    .map((one) => caseCheck(one, context));
  const cases = successes.flatMap((check) => {
    const call = check.steps.find((step): step is CallStep => step.kind === "call");
    return call === undefined ? [] : [{ states: statesOf(check), call }];
  });
  if (first === undefined) return cases;
  const example = exampleCall(first);
  const { catalogue, plain } = context;
  const states = baseSteps(baseState(catalogue));
  return [...cases, { states, call: { ...example, as: plain } }, { states: [], call: example }];
}
