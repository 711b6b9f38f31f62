import type { CallStep } from "../../contract/check.js";
import { literal } from "../../contract/expressions.js";
import type { ContractDocument } from "../../contract/rest/document.js";
import { NoAnswerError } from "../http/no-answer-error.js";
import { StateSetupError } from "../states/states-client.js";
import { CodeFaultError, type CodeGuard } from "./code-guard.js";
import type { CheckedServer, CodeCheck, RawRequest, Verdicts } from "./define-check.js";
import { endWithoutAnswer } from "./lost-request.js";
import { type CheckRun, withoutStates } from "./run-steps.js";
import { NotApplicableError, type Session } from "./session.js";
import { type SetupFailure, setupFailure } from "./setup-failure.js";

/** The server under test, and the contract that it should keep. */
export interface CodeTarget {
  /** Without the path of the API. */
  readonly url: string;
  /** The path of the API in the document, with which paths of the check begin, and that of the server. */
  readonly apiPath: { readonly documented: string; readonly actual: string };
  readonly contract: ContractDocument;
  readonly level: number;
  readonly signal: AbortSignal;
  readonly guard: Pick<CodeGuard, "run">;
}

/** Ends a check in code with this result. */
export class EndedError extends Error {
  override readonly name = "EndedError";
  constructor(readonly run: CheckRun) {
    super("The check has ended");
  }
}

/** Runs a check in code over HTTP. Rejects only once the run is aborted. */
export async function runCode(check: CodeCheck, session: Session, target: CodeTarget): Promise<CheckRun> {
  if (!session.hasStates) return withoutStates;
  const { guard, ...server } = target;
  return runGuarded(check, session, { guard, signal: target.signal }, (verdicts) =>
    check.run({ ...server, ...callsOf(session, target), ...verdicts }),
  );
}

/** Runs code within its limits. Rejects only once the run is aborted. */
export async function runGuarded(
  check: Pick<CodeCheck, "id" | "rules">,
  session: Pick<Session, "mask" | "trace" | "helpFor" | "lacks">,
  { guard, signal }: Pick<CodeTarget, "guard" | "signal">,
  work: (verdicts: Verdicts) => Promise<void>,
): Promise<CheckRun> {
  const problems: string[] = [];
  const broken = new Set<string>();
  const hidden = new Map<string, string>();
  const all = (rules: readonly string[]) => (rules.length === 0 ? check.rules : rules);
  const verdicts: Verdicts = {
    fail: (problem, ...rules) => {
      problems.push(problem);
      for (const rule of all(rules)) broken.add(rule);
    },
    hide: (reason, ...rules) => {
      for (const rule of all(rules)) hidden.set(rule, reason);
    },
    skip: (reason) => {
      throw new NotApplicableError(reason);
    },
  };
  try {
    await guard.run(check.id, () => work(verdicts));
  } catch (error) {
    signal.throwIfAborted();
    const run = await failedRun(error, check, session);
    if (run.outcome.kind !== "failed" && problems.length === 0) return run;
    if (run.outcome.kind === "failed") {
      problems.unshift(...run.outcome.problems);
      for (const rule of run.outcome.broken ?? []) broken.add(rule);
    }
  }
  if (problems.length > 0) {
    const outcome = { kind: "failed", problems: problems.map(session.mask), broken: [...broken] } as const;
    return { outcome: { ...outcome, trace: await session.trace() }, isAnswered: true };
  }
  const [reason] = hidden.values();
  if (reason === undefined) return { outcome: { kind: "passed" }, isAnswered: true };
  const shown = check.rules.filter((rule) => !hidden.has(rule));
  const outcome =
    shown.length === 0 ? { kind: "skipped" as const, reason } : { kind: "passed" as const, shown, reason };
  return { outcome, isAnswered: true };
}

function callsOf(
  session: Session,
  { apiPath: { documented, actual } }: CodeTarget,
): Pick<CheckedServer, "setUp" | "setUpIfPossible" | "send" | "cut"> {
  const setUp: CheckedServer["setUp"] = (state, params = {}) => session.setUp({ state, params, organization: "own" });
  const locate = (request: RawRequest) =>
    documented !== "" && request.url.startsWith(`${documented}/`)
      ? { ...request, url: `${actual}${request.url.slice(documented.length)}` }
      : request;
  return {
    setUp,
    setUpIfPossible: (state, params) =>
      setUp(state, params).catch((error: unknown) => {
        if (error instanceof StateSetupError && error.status !== undefined) return undefined;
        throw error;
      }),
    send: async (request) => {
      const exchange = await session.call(stepOf(locate(request)), () => undefined);
      return { ...exchange, url: exchange.url ?? "", status: Number(exchange.status) };
    },
    cut: async (request, bytes) => session.cut?.(stepOf(locate(request)), () => undefined, bytes),
  };
}

function stepOf({ method, url, as = "nobody", headers = {}, body }: RawRequest): CallStep {
  const literals = Object.entries(headers).map(([name, value]) => [name, literal(value)]);
  return {
    kind: "call",
    id: "",
    as,
    with: {},
    headers: Object.fromEntries(literals),
    request: { method, url: literal(url), body },
    expect: [],
  };
}

async function failedRun(
  error: unknown,
  { rules }: Pick<CodeCheck, "rules">,
  session: Pick<Session, "mask" | "trace" | "helpFor" | "lacks">,
): Promise<CheckRun> {
  if (error instanceof EndedError) return error.run;
  const failure = await failureOf(error, rules, session);
  if (failure === undefined) {
    const reason = session.mask(error instanceof CodeFaultError ? error.message : `it threw: ${describeThrown(error)}`);
    return { outcome: { kind: "errored", reason: `The check is at fault: ${reason}`, trace: [] }, isAnswered: true };
  }
  const { kind, reason: text, need, help, lost } = failure;
  const reason = session.mask(text);
  if (kind === "lacking") {
    const outcome = { kind: "skipped", reason, need } as const;
    return { outcome, isAnswered: true, ...(lost && { lost }) };
  }
  const outcome = { kind: "errored", reason, trace: await session.trace() } as const;
  const { isAnswered } = failure;
  return { outcome: help === undefined ? outcome : { ...outcome, help }, isAnswered, ...(lost && { lost }) };
}

function describeThrown(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

async function failureOf(
  error: unknown,
  rules: readonly string[],
  session: Pick<Session, "helpFor" | "lacks">,
): Promise<SetupFailure | undefined> {
  if (error instanceof NotApplicableError) return { kind: "lacking", reason: error.message, isAnswered: true };
  if (error instanceof NoAnswerError) {
    const end = endWithoutAnswer(error, rules);
    return { ...end, kind: end.kind === "not-run" ? "not-run" : "lacking", isAnswered: error.kind === "gateway" };
  }
  return error instanceof StateSetupError ? setupFailure(error, {}, session) : undefined;
}
