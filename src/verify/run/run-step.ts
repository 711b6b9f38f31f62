import { setTimeout as sleep } from "node:timers/promises";
import { parseUrl } from "../../base/parse-url.js";
import { expectedOf } from "../../contract/calls.js";
import type { CallStep, Check, Output, ParallelStep, StateStep, Step } from "../../contract/check.js";
import { valueAt } from "../../contract/json-pointer.js";
import { linkOf } from "../../http/link-header.js";
import { compileMatcher } from "../../judge/compile-matcher.js";
import { describeChange } from "../../judge/describe-change.js";
import type { Exchange } from "../../judge/exchange.js";
import { MissingValueError, resolveValue } from "../../judge/expressions.js";
import { isOpen } from "../../judge/judge-expectations.js";
import { createQuoter } from "../../judge/quote.js";
import { NoAnswerError } from "../http/no-answer-error.js";
import { StateSetupError } from "../states/states-client.js";
import { brokenBy } from "./broken-rules.js";
import { type Judgement, judgeCall } from "./judge-call.js";
import { endWithoutAnswer } from "./lost-request.js";
import { withoutValue } from "./presence-check.js";
import {
  type CheckProgress,
  claimed,
  type Deviation,
  type End,
  hide,
  nameOf,
  rulesOfStep,
  scopeOf,
} from "./progress.js";
import { NotApplicableError, type Session } from "./session.js";
import { setupFailure } from "./setup-failure.js";

/** Runs one step. Resolves to the reason if it ends the check. Rejects like `runSteps`. */
export async function runStep(
  check: Check,
  step: Step,
  session: Session,
  progress: CheckProgress,
): Promise<End | undefined> {
  const found = progress.deviations.length;
  const end = await takeStep(check, step, session, progress);
  if (progress.deviations.length > found) progress.requestsToDeviation = session.requests();
  return end;
}

async function takeStep(check: Check, step: Step, session: Session, progress: CheckProgress): Promise<End | undefined> {
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
    if (error instanceof NoAnswerError) return endWithoutAnswer(error, rulesOfStep(check, step));
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

async function runState(step: StateStep, session: Session, progress: CheckProgress): Promise<End | undefined> {
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

async function runCall(
  check: Check,
  step: CallStep,
  session: Session,
  progress: CheckProgress,
): Promise<End | undefined> {
  if (step.readBack !== undefined) return runReadBack(check, step, session, progress);
  const exchange = await session.call(step, scopeOf(progress));
  return judgeStep(check, step, await untilExpected(step, exchange, session, progress), session, progress);
}

/** Repeats a read, ever less often, until it is as expected or its time is up. */
async function untilExpected(
  step: CallStep,
  first: Exchange,
  session: Session,
  progress: CheckProgress,
): Promise<Exchange> {
  const end = performance.now() + (step.within ?? 0) * 1000;
  let exchange = first;
  for (let waitMs = 100; performance.now() + waitMs < end; waitMs *= 2) {
    const { unmet, unexpected } = judgeCall(step, exchange, scopeOf(progress), session.mask);
    if (unmet.length + unexpected.length === 0) break;
    await sleep(waitMs);
    exchange = await session.call(step, scopeOf(progress));
  }
  return exchange;
}

async function judgeStep(
  check: Check,
  step: CallStep,
  exchange: Exchange,
  session: Session,
  progress: CheckProgress,
): Promise<End | undefined> {
  // What was created must be removed, also if its response is wrong.
  if (check.removals !== undefined && exchange.status === 201) readOutputs(step, exchange, progress);
  const judgement = judgeCall(step, exchange, scopeOf(progress), session.mask);
  const end = await endByRules(judgement, exchange, progress);
  if (end !== undefined) return end;
  const { unexpected, forbidden, unseen, isStatusWrong, letThrough } = judgement;
  const problems = [...unexpected, ...forbidden.map(({ text }) => text)];
  // A call that only prepares the check needs no excuse if it is as expected.
  const excuse =
    problems.length > 0 || claimed(step).length > 0 ? await exchange.excuse?.({ deviates: false }) : undefined;
  if (excuse !== undefined) return { kind: "not-shown", reason: excuse };
  const departure = departureOf(step, exchange);
  const isOdd = problems.length > 0 || departure !== undefined;
  const lacking = isOdd ? withoutThing(exchange) : undefined;
  if (lacking !== undefined) return lacking;
  if (departure !== undefined && forbidden.length === 0)
    progress.deviations.push({ ...departure, problem: `${nameOf(check, step)}${departure.problem}` });
  const { implied } = exchange;
  const isAsked = unexpected.length === 0 || Number(exchange.status) < 300;
  if (check.derived !== undefined && implied !== undefined && isAsked && exchange.fault === undefined) {
    // What the schema forbids is a finding of the operation, and no reason to end a workflow that goes by values.
    progress.deviations.push(
      ...forbidden.map(({ text }) => ({ rule: implied.response, problem: `${nameOf(check, step)}${text}` })),
    );
    if (unexpected.length === 0) return readOutputs(step, exchange, progress);
  }
  const isPrecondition = isUnmet(step, exchange, isStatusWrong);
  if (problems.length > 0 && isPrecondition) {
    // A documented failure is a response as documented, and no refusal.
    const isFailure = departure !== undefined && departure.rule === exchange.implied?.failures;
    const shown = check.rules.filter((rule) => isFailure && rule === exchange.implied?.response);
    return { ...unmet(step.precondition, problems), shown };
  }
  if (problems.length > 0) {
    const departs = departure !== undefined && forbidden.length > 0 ? [departure.rule] : [];
    const rules = [...brokenBy(check, step, judgement, exchange.implied), ...departs];
    return { kind: "broken", problems, isForbidden: forbidden.length > 0, letThrough, rules };
  }
  if (unseen !== undefined) hide(check, step, `the answer has no ${unseen}`, progress);
  noteStatus(check, step, exchange, progress);
  return readOutputs(step, exchange, progress);
}

/** How a response departs from the recommendations about its operation. One whose status is not documented may be forbidden as well. */
function departureOf(step: CallStep, exchange: Exchange): Deviation | undefined {
  const { implied, fault } = exchange;
  if (implied === undefined || fault !== undefined || isOpen(expectedOf(step), exchange)) return undefined;
  const departure = exchange.departure?.();
  if (departure === undefined || (departure.rule === "failures" && exchange.contractProblems().length > 0))
    return undefined;
  return { rule: implied[departure.rule], problem: departure.problem };
}

/** The end of a check whose request is about something that the server need not have. */
function withoutThing({ status, unsure }: Exchange): End | undefined {
  if (status !== 404 || unsure === undefined) return undefined;
  const { madeUp, listed } = unsure;
  if (madeUp.length > 0) return { ...withoutValue(madeUp), kind: "not-shown" };
  // The run may have removed it.
  return listed.length === 0
    ? undefined
    : { kind: "not-shown", reason: `the server no longer has what it listed for \`${listed.join("` and `")}\`` };
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

/** The end of a check whose response breaks rules that expectations name, or is no response. */
async function endByRules(
  { unmet, hidden }: Judgement,
  exchange: Exchange,
  progress: CheckProgress,
): Promise<End | undefined> {
  if (unmet.length > 0) {
    const deviates = unmet.every(({ expectation }) => expectation.excusable);
    const excuse = deviates ? await exchange.excuse?.({ deviates }) : undefined;
    if (excuse !== undefined) return { kind: "not-shown", reason: excuse };
    const rules = [...new Set(unmet.flatMap(({ expectation }) => expectation.rules ?? []))];
    const problems = unmet.flatMap((one) => one.problems);
    return { kind: "broken", problems, isForbidden: false, letThrough: false, rules };
  }
  for (const [rule, reason] of hidden) progress.hidden.set(rule, reason);
  return exchange.unusable && { kind: "not-run", ...exchange.unusable };
}

async function runParallel(
  check: Check,
  step: ParallelStep,
  session: Session,
  progress: CheckProgress,
): Promise<End | undefined> {
  const scope = scopeOf(progress);
  const rulesOf = ({ rules = step.rules }: CallStep) => (rules === undefined ? {} : { rules });
  const made = step.steps.map(async (one) => ({
    one: { ...one, ...rulesOf(one) },
    exchange: await session.call(one, scope),
  }));
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
  const rules = [...new Set(broken.flatMap((end) => end.rules ?? rulesOfStep(check, step)))];
  return { ...first, problems, rules };
}

function unmet(
  precondition: CallStep["precondition"],
  problems: readonly string[],
): Extract<End, { readonly kind: "not-shown" }> {
  const { because = undefined, saysHow = false } = typeof precondition === "object" ? precondition : {};
  const reasons = [because ?? [], because === undefined || saysHow ? problems.join("; ") : []].flat();
  return { kind: "not-shown", reason: reasons.join(": ") };
}

/** Reads before or after a refused request. A read that fails shows nothing. */
async function runReadBack(
  check: Check,
  step: CallStep,
  session: Session,
  progress: CheckProgress,
): Promise<undefined> {
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

function noteStatus(check: Check, step: CallStep, exchange: Exchange, { deviations }: CheckProgress): void {
  const { status, recommendedBy } = expectedOf(step);
  if (recommendedBy === undefined || exchange.status === status || Number(exchange.status) < 400) return;
  const isStated = typeof status === "number";
  if (!isStated && Number(exchange.status) < 500) return;
  const recommended = isStated ? status : "below 500";
  const problem = `${nameOf(check, step)}status: recommended is ${recommended}, got ${exchange.status}`;
  deviations.push({ rule: recommendedBy, problem });
}

/** Remembers the outputs of a call. Resolves to the end of the check if one is missing. */
function readOutputs({ id, outputs = {} }: CallStep, exchange: Exchange, { values }: CheckProgress): End | undefined {
  const read = Object.entries(outputs).map(([name, output]) => {
    const { at, optional = false, segment = false, rel, otherwise } = asObject(output);
    const places = [at].flat();
    const found = places.map((place) => readPlace(exchange, place)).find((one) => one !== undefined);
    const linked = rel === undefined ? found : linkOf(String(found ?? ""), rel, exchange.url ?? "");
    const value = (segment ? lastSegment(linked) : linked) ?? otherwise;
    return { name, value, optional, reason: `the answer has no ${places.join(" or ") || "body"}` };
  });
  values.set(id, Object.fromEntries(read.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))));
  const missing = read.find(({ value }) => value === undefined);
  if (missing === undefined) return undefined;
  return missing.optional
    ? { kind: "lacking", reason: missing.reason, isAnswered: true }
    : { kind: "broken", problems: [missing.reason], isForbidden: false, letThrough: false };
}

function asObject(output: Output): Exclude<Output, string> {
  return typeof output === "string" ? { at: output } : output;
}

/** The last segment of the path of a URL, decoded. */
function lastSegment(url: unknown): string | undefined {
  const segment = parseUrl(String(url))
    ?.pathname.split("/")
    .findLast((part) => part !== "");
  return segment === undefined ? undefined : decodeURIComponent(segment);
}

function readPlace({ body, text, headers, url }: Exchange, place: string): unknown {
  if (place === "") return body ?? (text === "" ? undefined : text);
  if (place.startsWith("/")) return valueAt(body, place);
  const name = place.slice("header ".length);
  const value = headers.get(name) ?? undefined;
  // It is relative to the request (RFC 9110, section 10.2.2).
  const isReference = value !== undefined && name.toLowerCase() === "location";
  return isReference ? (parseUrl(value, url)?.href ?? value) : value;
}
