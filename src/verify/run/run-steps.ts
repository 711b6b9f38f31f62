import { parseUrl } from "../../base/parse-url.js";
import type { CallStep, Check, ParallelStep, StateStep, Step } from "../../contract/check.js";
import { valueAt } from "../../contract/json-pointer.js";
import { compileMatcher } from "../../match/compile-matcher.js";
import { MissingValueError, resolveValue, type Scope } from "../../match/expressions.js";
import { NoAnswerError } from "../http/no-answer-error.js";
import { createQuoter } from "../http/quote.js";
import { describeChange } from "../judge/describe-change.js";
import type { CheckOutcome } from "../model/check-result.js";
import { StateSetupError } from "../states/states-client.js";
import { judgeCall } from "./judge-call.js";
import { judgeClaims } from "./judge-claims.js";
import { type Exchange, NotApplicableError, type Session } from "./session.js";
import { type SetupFailure, setupFailure } from "./setup-failure.js";

/** The result of a check. */
export interface CheckRun {
  readonly outcome: CheckOutcome;
  /** Whether the server answered every request. */
  readonly isAnswered: boolean;
}

/** Why the steps of a check ended early. */
type End =
  | {
      readonly kind: "broken";
      readonly problems: readonly string[];
      readonly isForbidden: boolean;
      readonly letThrough: boolean;
      /** The broken rules. Defaults to those of the step, and those that no step names. */
      readonly rules?: readonly string[];
    }
  /** The server lacks something optional, so that the rest of the check shows nothing; or the check cannot run. */
  | SetupFailure
  | { readonly kind: "not-shown"; readonly reason: string };

/** A recommendation that a response does not follow. */
interface Deviation {
  readonly rule: string;
  readonly problem: string;
}

/** What the steps so far have left. */
interface Progress {
  readonly values: Map<string, Readonly<Record<string, unknown>>>;
  readonly exchanges: Map<string, Exchange>;
  readonly deviations: Deviation[];
  /** The rules that a step does not show although it passed, with the reason. */
  readonly hidden: Map<string, string>;
  /** The rules that a read before and after a refused request shows. */
  readonly readBack: Set<string>;
  credentials: Readonly<Record<string, unknown>>;
}

const newerServerReason = "the server has a newer feature level than the contract";

/** The states of a check, set up. */
export interface Prepared {
  readonly session: Session;
  readonly progress: Progress;
  /** The values of the states. */
  readonly scope: Scope;
}

/** Runs the steps of a check in order, until one fails. Rejects only on a fault of this package, or once `session` is aborted. */
export async function runSteps(check: Check, session: Session): Promise<CheckRun> {
  try {
    return await runInOrder(check, session);
  } finally {
    await session.close?.();
  }
}

async function runInOrder(check: Check, session: Session): Promise<CheckRun> {
  if (check.knownLevelsOnly && session.isNewer) {
    return { outcome: { kind: "skipped", reason: newerServerReason }, isAnswered: true };
  }
  if (needsStates(check) && !session.hasStates) return withoutStates;
  const prepared = await prepare(check, session);
  return "outcome" in prepared ? prepared : runPrepared(check, prepared);
}

/** Whether a check sets up provider states. */
export function needsStates({ steps }: Pick<Check, "steps">): boolean {
  return steps.some(({ kind }) => kind === "state");
}

/** Why a check that needs provider states is skipped when none are available. */
export const needsStatesReason = "it needs provider states: give --states";

/** The result of a check that needs provider states if there are none. */
export const withoutStates: CheckRun = {
  outcome: { kind: "skipped", reason: needsStatesReason, need: { kind: "states" } },
  isAnswered: true,
};

/** Sets up the states with which a check begins. Resolves to its result if that fails. */
export async function prepare(check: Check, session: Session): Promise<Prepared | CheckRun> {
  const progress: Progress = {
    values: new Map(),
    exchanges: new Map(),
    deviations: [],
    hidden: new Map(),
    readBack: new Set(),
    credentials: {},
  };
  const prepared = { session, progress, scope: scopeOf(progress) };
  return (await runFrom(0, check, prepared, (step) => step.kind === "state")) ?? prepared;
}

/** Runs the other steps of a check. The values of the states stay as they are. */
export async function runPrepared(check: Check, { session, progress }: Prepared): Promise<CheckRun> {
  const { values, credentials } = progress;
  const own: Progress = {
    values: new Map(values),
    exchanges: new Map(),
    deviations: [],
    hidden: new Map(),
    readBack: new Set(),
    credentials,
  };
  const first = check.steps.findIndex(({ kind }) => kind !== "state");
  const end =
    first < 0 ? undefined : await runFrom(first, check, { session, progress: own, scope: scopeOf(own) }, () => true);
  return end ?? { outcome: await passedOutcome(check, session, own), isAnswered: true };
}

/** Runs steps as long as they pass a test. Resolves to the result if one of them ends the check. */
async function runFrom(
  first: number,
  check: Check,
  prepared: Prepared,
  isMeant: (step: Step) => boolean,
): Promise<CheckRun | undefined> {
  const { session, progress } = prepared;
  for (const [index, step] of check.steps.entries()) {
    if (index < first) continue;
    if (!isMeant(step)) return undefined;
    const end = await runStep(check, step, session, progress);
    if (end === undefined) continue;
    if (end.kind === "broken") await readBackAfter(check, index, end, prepared);
    const outcome = await outcomeAt(check, index, end, session, progress);
    return { outcome, isAnswered: end.kind !== "not-run" || end.isAnswered };
  }
  return undefined;
}

async function runStep(check: Check, step: Step, session: Session, progress: Progress): Promise<End | undefined> {
  try {
    switch (step.kind) {
      case "state":
        return await runState(step, session, progress);
      case "serve":
        progress.values.set(step.id, (await session.serve?.(step)) ?? {});
        return undefined;
      case "call":
        return await runCall(check, step, session, progress);
      case "parallel":
        return await runParallel(check, step, session, progress);
    }
  } catch (error) {
    if (error instanceof StateSetupError) {
      const params = step.kind === "state" ? resolveValue(step.params, scopeOf(progress)) : {};
      return setupFailure(error, params as object, session);
    }
    if (error instanceof NotApplicableError) return { kind: "not-shown", reason: error.message };
    if (error instanceof MissingValueError) return missingValue(error, check, session);
    if (error instanceof NoAnswerError) return { kind: "not-run", reason: error.message, isAnswered: false };
    throw error;
  }
}

/** Without the credentials of a caller, the check cannot run. Any other missing value is one that no response has to have. */
async function missingValue({ expression, message }: MissingValueError, check: Check, session: Session): Promise<End> {
  const [root, caller] = expression.split(".");
  const first = check.steps.find((step) => step.kind === "state");
  if (root !== "credentials" || first === undefined) return { kind: "not-shown", reason: message };
  const reason = `Provider state ${first.state} could not be set up: the answer has no credentials of ${caller}`;
  return { kind: "not-run", reason, help: await session.helpFor(first.state, first.params), isAnswered: true };
}

async function runState(step: StateStep, session: Session, progress: Progress): Promise<End | undefined> {
  const { state, fresh, within, values, rename = {}, defaults, expect, precondition } = step;
  const params = resolveValue(step.params, scopeOf(progress)) as object;
  const name = String(progress.values.get(within ?? "")?.organization);
  const organization = within === undefined ? (fresh ? "new" : "own") : { name };
  const returned = await session.setUp({ state, params, organization });
  const renamed = Object.fromEntries(Object.entries(returned).map(([name, value]) => [rename[name] ?? name, value]));
  const known: Readonly<Record<string, unknown>> = { ...defaults, ...renamed };
  progress.values.set(step.id, known);
  if (organization === "own") progress.credentials = { ...progress.credentials, ...(returned.credentials as object) };
  const absent = values.find((name) => known[name] === undefined);
  const missing = Object.keys(rename).find((name) => rename[name] === absent) ?? absent;
  if (missing !== undefined) {
    const reason = `Provider state ${state} could not be set up: the answer has no ${missing}`;
    return { kind: "lacking", reason, need: { kind: "state", state, value: missing }, isAnswered: true };
  }
  const wrong = expect && compileMatcher({ at: expect })(returned, scopeOf(progress));
  if (wrong === undefined) return undefined;
  const problem = `${wrong.at}: expected ${wrong.expected}, got ${createQuoter(session.mask)(wrong.actual)}`;
  if (precondition) return { kind: "not-shown", reason: problem };
  return { kind: "broken", problems: [problem], isForbidden: false, letThrough: false };
}

async function runCall(check: Check, step: CallStep, session: Session, progress: Progress): Promise<End | undefined> {
  if (step.readBack !== undefined) return runReadBack(check, step, session, progress);
  return judgeStep(check, step, await session.call(step, scopeOf(progress)), session, progress);
}

async function judgeStep(
  check: Check,
  step: CallStep,
  exchange: Exchange,
  session: Session,
  progress: Progress,
): Promise<End | undefined> {
  const end = await endByClaims(step, exchange, session, progress);
  if (end !== undefined) return end;
  const { problems, unseen, isStatusWrong, ...judgement } = judgeCall(step, exchange, scopeOf(progress), session.mask);
  // A call that only prepares the check needs no excuse if it is as expected.
  const excuse = problems.length > 0 || step.claims ? await exchange.excuse?.({ deviates: false }) : undefined;
  if (excuse !== undefined) return { kind: "not-shown", reason: excuse };
  const isPrecondition = isUnmet(step, exchange, isStatusWrong);
  if (problems.length > 0 && isPrecondition) return unmet(step.precondition, problems);
  if (problems.length > 0) return { kind: "broken", problems, ...judgement };
  if (unseen !== undefined) hide(check, step, `the answer has no ${unseen}`, progress);
  noteStatus(check, step, exchange, progress);
  return readOutputs(step, exchange, progress);
}

/** Whether a wrong response to a step only says that the check shows nothing. */
function isUnmet({ precondition }: CallStep, exchange: Exchange, isStatusWrong: boolean): boolean {
  switch (precondition) {
    case "status":
      return isStatusWrong;
    case "accepted":
      return exchange.isRefusal && exchange.contractProblems().length === 0;
    default:
      return precondition !== undefined;
  }
}

/** Judges the claims of a call. Undefined if they leave the rest of the check open. */
async function endByClaims(
  { claims = [] }: CallStep,
  exchange: Exchange,
  { mask }: Session,
  progress: Progress,
): Promise<End | undefined> {
  const { broken, hidden } = judgeClaims(claims, exchange, scopeOf(progress), mask);
  if (broken.length > 0) {
    const deviates = broken.every(({ claim }) => claim.excusable);
    const excuse = deviates ? await exchange.excuse?.({ deviates }) : undefined;
    if (excuse !== undefined) return { kind: "not-shown", reason: excuse };
    const rules = [...new Set(broken.flatMap(({ claim }) => claim.rules))];
    return {
      kind: "broken",
      problems: broken.map(({ problem }) => problem),
      isForbidden: false,
      letThrough: false,
      rules,
    };
  }
  for (const [rule, reason] of hidden) progress.hidden.set(rule, reason);
  return exchange.unusable && { kind: "not-run", ...exchange.unusable };
}

async function runParallel(
  check: Check,
  step: ParallelStep,
  session: Session,
  progress: Progress,
): Promise<End | undefined> {
  const scope = scopeOf(progress);
  const made = step.steps.map(async (one) => ({ one, exchange: await session.call(one, scope) }));
  // What one response shows may depend on the other calls.
  const judged = (await Promise.all(made)).map(({ one, exchange }) =>
    judgeStep(check, one, exchange, session, progress),
  );
  const ends = await Promise.all(judged);
  const broken = ends.filter((end) => end?.kind === "broken");
  const [first] = broken;
  if (first === undefined) return ends.find((end) => end !== undefined);
  const problems = broken.flatMap((end) => end.problems);
  if (step.precondition !== undefined) return unmet(step.precondition, problems);
  const rules = broken.flatMap((end) => end.rules ?? []);
  return { ...first, problems, ...(rules.length === 0 ? {} : { rules }) };
}

function unmet(precondition: CallStep["precondition"], problems: readonly string[]): End {
  return { kind: "not-shown", reason: typeof precondition === "object" ? precondition.because : problems.join("; ") };
}

/** Reads before or after a refused request. A read that fails shows nothing. */
async function runReadBack(check: Check, step: CallStep, session: Session, progress: Progress): Promise<undefined> {
  const { since, compare = "", except = [] } = step.readBack ?? {};
  const current = await session.call(step, scopeOf(progress));
  progress.exchanges.set(step.id, current);
  if (since === undefined) return;
  const before = progress.exchanges.get(since);
  const list = valueAt(current.body, compare);
  if (before?.status !== 200 || current.status !== 200 || !Array.isArray(list) || list.length === 0) {
    // Another caller may have read.
    if (!step.rules?.some((rule) => progress.readBack.has(rule)))
      hide(check, step, "no caller could read before and after the request", progress);
    return;
  }
  for (const rule of step.rules ?? []) {
    progress.readBack.add(rule);
    progress.hidden.delete(rule);
  }
  const who = typeof step.as === "string" ? step.as : "the caller";
  const change = describeChange(who, before.body, current.body, { compare, except }, session.mask);
  if (change === undefined) return;
  const problem = `${nameOf(check, step)}${change}`;
  progress.deviations.push(...(step.rules ?? []).map((rule) => ({ rule, problem })));
}

/** Reads after a request that was refused in a wrong way, since it may have changed something as well. */
async function readBackAfter(
  check: Check,
  index: number,
  { letThrough }: End & { readonly kind: "broken" },
  { session, progress }: Prepared,
): Promise<void> {
  // Where a check fails, what earlier responses deviated in is a lesser problem.
  progress.deviations.length = 0;
  if (letThrough) return;
  for (const step of check.steps.slice(index + 1)) {
    if (step.kind !== "call" || step.readBack?.since === undefined) return;
    await runStep(check, step, session, progress);
  }
}

function noteStatus(check: Check, step: CallStep, exchange: Exchange, { deviations }: Progress): void {
  const { status, recommendedBy } = step.expect;
  if (recommendedBy === undefined || exchange.status === status || Number(exchange.status) < 400) return;
  const isStated = typeof status === "number";
  if (!isStated && Number(exchange.status) < 500) return;
  const recommended = isStated ? status : "below 500";
  const problem = `${nameOf(check, step)}status: recommended is ${recommended}, got ${exchange.status}`;
  deviations.push({ rule: recommendedBy, problem });
}

/** What a problem begins with: in a workflow, the step. */
function nameOf({ kind }: Check, { id }: Step): string {
  return kind === "workflow" ? `step ${id}: ` : "";
}

function readOutputs({ id, outputs = {} }: CallStep, exchange: Exchange, { values }: Progress): End | undefined {
  const found: Record<string, unknown> = {};
  for (const [name, output] of Object.entries(outputs)) {
    const { at, optional = false, otherwise = undefined } = typeof output === "string" ? { at: output } : output;
    const places = [at].flat();
    const value = places.map((place) => readPlace(exchange, place)).find((one) => one !== undefined) ?? otherwise;
    if (value === undefined) {
      const reason = `the answer has no ${places.join(" or ")}`;
      return optional
        ? { kind: "lacking", reason, isAnswered: true }
        : { kind: "broken", problems: [reason], isForbidden: false, letThrough: false };
    }
    found[name] = value;
  }
  values.set(id, found);
  return undefined;
}

function readPlace({ body, headers, url }: Exchange, place: string): unknown {
  if (place.startsWith("/")) return valueAt(body, place);
  const name = place.slice("header ".length);
  const value = headers.get(name) ?? undefined;
  // It is relative to the request (RFC 9110, section 10.2.2).
  const isReference = value !== undefined && name.toLowerCase() === "location";
  return isReference ? (parseUrl(value, url)?.href ?? value) : value;
}

function scopeOf({ values, credentials }: Progress): Scope {
  return ([head = "", ...rest]) => {
    const root = head === "credentials" ? credentials : values.get(head);
    return valueAt(root, rest.map((key) => `/${key}`).join(""));
  };
}

/** Notes that a step passed without showing its rules. */
function hide(check: Check, step: Step, reason: string, { hidden }: Progress): void {
  for (const rule of step.rules ?? unnamedRules(check)) hidden.set(rule, reason);
}

/** The rules that no step names. Those about the status of a refusal are judged by that status alone. */
function unnamedRules({ rules, steps }: Check): string[] {
  const named = new Set(flat(steps).flatMap((step) => [...(step.rules ?? []), ...claimed(step), ...recommended(step)]));
  return rules.filter((rule) => !named.has(rule));
}

function claimed(step: Step): string[] {
  return step.kind === "call" ? (step.claims ?? []).flatMap(({ rules }) => rules) : [];
}

function recommended(step: Step): string[] {
  return step.kind === "call" ? [step.expect.recommendedBy ?? []].flat() : [];
}

function flat(steps: readonly Step[]): Step[] {
  return steps.flatMap((step): Step[] => (step.kind === "parallel" ? [step, ...step.steps] : [step]));
}

async function outcomeAt(
  check: Check,
  index: number,
  end: End,
  session: Session,
  progress: Progress,
): Promise<CheckOutcome> {
  const step = check.steps[index] as Step;
  const name = nameOf(check, step);
  switch (end.kind) {
    case "broken": {
      const broken = end.rules ?? [...new Set([...(step.rules ?? []), ...unnamedRules(check)])];
      return {
        kind: "failed",
        problems: [
          ...end.problems.map((problem) => `${name}${problem}`),
          ...progress.deviations.map(({ problem }) => problem),
        ].map(session.mask),
        broken: [...broken, ...progress.deviations.map(({ rule }) => rule)],
        ...(end.isForbidden ? { forbidden: true } : {}),
        ...(end.letThrough ? { letThrough: true } : {}),
        trace: await session.trace(),
      };
    }
    case "not-run": {
      const { reason, help } = end;
      const outcome = {
        kind: "errored",
        reason: session.mask(`${name}${reason}`),
        trace: await session.trace(),
      } as const;
      return help === undefined ? outcome : { ...outcome, help };
    }
    case "not-shown":
      return { kind: "skipped", reason: session.mask(`${name}${end.reason}`) };
    case "lacking": {
      const rulesOf = (steps: readonly Step[]) => new Set(flat(steps).flatMap(({ rules = [] }) => rules));
      const [earlier, later] = [rulesOf(check.steps.slice(0, index)), rulesOf(check.steps.slice(index))];
      const shown = check.rules.filter((rule) => earlier.has(rule) && !later.has(rule) && !progress.hidden.has(rule));
      const reason = session.mask(`${name}${end.reason}`);
      if (shown.length > 0) return { kind: "passed", shown, reason };
      return { kind: "skipped", reason, ...(end.need === undefined ? {} : { need: end.need }) };
    }
  }
}

async function passedOutcome(check: Check, session: Session, { deviations, hidden }: Progress): Promise<CheckOutcome> {
  const broken = [...new Set(deviations.map(({ rule }) => rule))];
  const shown = check.rules.filter((rule) => !hidden.has(rule) && !broken.includes(rule));
  const [reason] = hidden.values();
  const hasClaims = flat(check.steps).some((step) => claimed(step).length > 0);
  if (hasClaims && reason !== undefined && shown.length === 0 && broken.length === 0)
    return { kind: "skipped", reason };
  if (deviations.length === 0) return reason === undefined ? { kind: "passed" } : { kind: "passed", shown, reason };
  return {
    kind: "failed",
    problems: deviations.map(({ problem }) => session.mask(problem)),
    broken,
    shown,
    trace: await session.trace(),
  };
}
