import type { CallStep, Check, StateStep } from "../../contract/check.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import { baseState, baseSteps } from "../../contract/rest/states.js";
import { MissingValueError } from "../../match/expressions.js";
import { type CaseContext, caseCheck, exampleCall } from "../derive/case-checks.js";
import { statesOf, successesOf } from "../derive/probe.js";
import { NoAnswerError } from "../http/no-answer-error.js";
import type { CheckOutcome, Exchange } from "../model/check-result.js";
import { findPresence, type Presence } from "../run/presence.js";
import { prepare } from "../run/run-steps.js";
import { NotApplicableError, type Session } from "../run/session.js";
import { runAll } from "../run-all.js";
import { StateSetupError } from "../states/states-client.js";

/** A path below that of the API that no API has. */
const nowhere = "/accord-no-such-operation";

/** How to ask for operations. */
export interface PresenceOptions {
  /** The path of the API. */
  readonly basePath: string;
  readonly context: CaseContext;
  readonly createSession: (name: string) => Session;
  /** The requests to try. Defaults to cases that succeed, then the examples of the contract. */
  readonly candidates?: (operation: ProbedOperation) => readonly Candidate[];
  /** What is tried before the candidates. Resolves to undefined if it tells nothing. */
  readonly withoutActing?: (operation: ProbedOperation) => Promise<Presence | undefined>;
  /** Whether the run may not do everything. Defaults to false. */
  readonly isRestricted?: boolean;
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly onFound: (operation: ProbedOperation, outcome: CheckOutcome, durationMs: number) => void;
}

/**
 * Finds out which operations a server has, each by the request of a case that succeeds, or else by the examples of the contract. Without
 * provider states, the requests carry no credentials. A server that does not answer has every operation, for the checks to judge. Ends
 * early if the run is aborted.
 */
export async function findOperations(
  operations: readonly ProbedOperation[],
  { basePath, context, createSession, candidates, withoutActing, isRestricted, jobs, signal, onFound }: PresenceOptions,
): Promise<ReadonlyMap<string, Presence>> {
  const found = new Map<string, Presence>();
  const { hasStates } = createSession("");
  const find = async (operation: ProbedOperation) => {
    const started = performance.now();
    try {
      const early = await withoutActing?.(operation);
      const tried = candidates?.(operation) ?? candidatesOf(operation, context);
      const { presence, trace } =
        early === undefined
          ? await presenceOf(operation, tried, basePath, createSession)
          : { presence: early, trace: async () => [] };
      found.set(operation.operationId, presence);
      const outcome = await outcomeOf(presence, { hasCallers: hasStates, isRestricted }, trace);
      onFound(operation, outcome, performance.now() - started);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  await runAll(operations, jobs, find, signal);
  return found;
}

/** What is known of an operation of which no request tells whether the server has it. */
interface Unknown {
  readonly hasCallers: boolean;
  readonly isUnasked?: boolean | undefined;
  readonly isRestricted?: boolean | undefined;
}

/** The outcome of a check if no request tells whether the server has what `names` names. `hasCallers`: by states or accounts. */
export function unknownOutcome(
  names: string,
  { hasCallers, isUnasked = false, isRestricted = false }: Unknown,
): CheckOutcome {
  if (isUnasked && isRestricted) {
    const reason = `no request that changes nothing tells whether the server has ${names}: give --disposable`;
    return { kind: "skipped", reason, need: { kind: "degree", degree: "everything" } };
  }
  if (isUnasked) {
    const reason = `no request that changes nothing tells whether the server has ${names}: give --states`;
    return { kind: "skipped", reason, need: { kind: "states" } };
  }
  const reason = `the server answers ${names} like any other path`;
  if (hasCallers) return { kind: "skipped", reason };
  return { kind: "skipped", reason: `without credentials, ${reason}: give --states`, need: { kind: "states" } };
}

async function outcomeOf(
  presence: Presence,
  about: Pick<Unknown, "hasCallers" | "isRestricted">,
  trace: () => Promise<readonly Exchange[]>,
): Promise<CheckOutcome> {
  switch (presence.kind) {
    case "there":
      return { kind: "passed" };
    case "unknown":
      return unknownOutcome("the operation", { ...about, isUnasked: presence.isUnasked });
    case "not-implemented":
      return { kind: "failed", problems: [`not implemented: ${presence.why}`], broken: [], trace: await trace() };
  }
}

/** A call, and the states that it needs. */
export interface Candidate {
  readonly states: readonly StateStep[];
  readonly call: CallStep;
  /** Whether its path has a malformed id. Defaults to false. */
  readonly isMalformed?: boolean;
}

async function presenceOf(
  operation: ProbedOperation,
  candidates: readonly Candidate[],
  basePath: string,
  createSession: (name: string) => Session,
): Promise<{ readonly presence: Presence; readonly trace: () => Promise<readonly Exchange[]> }> {
  const none = async () => [];
  const name = `presence of ${operation.operationId}`;
  if (candidates.length === 0) return { presence: { kind: "unknown", isUnasked: true }, trace: none };
  let unknown: Presence | undefined;
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
      ...{ kind: "call", id: step.id, as: step.as, with: {}, expect: { status: "any" } },
      request: { method: operation.method, url: `${basePath}${nowhere}` },
    });
    try {
      const presence = await findPresence({
        valid: () => send(call),
        ...(operation.needsLogin && call.as !== "nobody" ? { anonymous: () => send({ ...call, as: "nobody" }) } : {}),
        nowhere: () => send(to(call)),
        isMalformed,
      });
      // Credentials may tell the operation from any other path.
      if (presence.kind !== "unknown") return { presence, trace: session.trace };
      unknown = presence;
    } catch (error) {
      if (error instanceof NoAnswerError) return { presence: { kind: "there" }, trace: none };
      // Another candidate may need neither the caller nor the value that this one lacks.
      if (![NotApplicableError, StateSetupError, MissingValueError].some((kind) => error instanceof kind)) throw error;
    }
  }
  return { presence: unknown ?? { kind: "there" }, trace: none };
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
