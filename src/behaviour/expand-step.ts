import { percentEncode } from "../base/percent-encode.js";
import { outsiders } from "../contract/calls.js";
import type { Caller, CallStep, Expected, Output, StateStep, Step, Written } from "../contract/check.js";
import type { Matcher } from "../contract/matcher.js";
import type { StateCatalogue } from "../contract/rest/states/catalogue.js";
import { didYouMean } from "../contract/yaml-source.js";
import { compileMatcher } from "../judge/compile-matcher.js";
import { inputsOf, type Operation } from "../request/operation.js";
import type { Complain, NamedCall, NamedStep } from "./name-steps.js";
import type { CallSource } from "./workflow-source.js";

/** What a step may refer to, and what its expansion needs. */
export interface StepContext {
  readonly catalogue: StateCatalogue;
  readonly operations: ReadonlyMap<string, Operation>;
  /** The callers of a contract without provider states. */
  readonly callers: readonly string[];
  /** The fields of credentials by which requests can log in. */
  readonly credentials: readonly string[];
  /** The caller of the workflow. */
  readonly as: Caller;
  /** The step that creates the organization; undefined if there is none. */
  readonly first: string | undefined;
  /** The rules of the workflow. */
  readonly workflowRules: readonly string[];
  /** Returns the rule that recommends the status of errors. Undefined if one of the rules that the error shows states the status. */
  readonly statusRule: (shown: readonly string[]) => string | undefined;
  readonly complain: Complain;
}

/** Converts a step to the form in which it runs, without the values that later steps need. */
export function expandStep(step: NamedStep, context: StepContext): Step {
  return step.kind === "setup" ? expandSetup(step, context) : expandCall(step, context);
}

function expandSetup({ id, path, source }: NamedStep & { kind: "setup" }, context: StepContext): StateStep {
  const { state, fresh = false, rules, expect, params = {} } = source;
  if (id === context.first && fresh) context.complain(path, "the first state begins afresh anyway: remove `fresh`");
  for (const message of context.catalogue.setupProblems({ state, params, action: "setup" }))
    context.complain(path, message);
  for (const [pointer, matcher] of Object.entries(expect ?? {}))
    checkMatcher(matcher, [...path, "expect", pointer], context);
  return {
    kind: "state",
    id,
    state,
    params,
    values: [],
    ...(fresh ? { fresh } : {}),
    rules,
    expect,
  };
}

function expandCall({ id, path, source }: NamedStep & { kind: "call" }, context: StepContext): Step {
  if (source.parallel === undefined) return expandOne(id, path, source, context);
  const steps = source.parallel.map((one, index) =>
    expandOne(one.id ?? `${id}-${index + 1}`, [...path, "parallel", index], one, context),
  );
  return { kind: "parallel", id, steps, ...notesOf(source) };
}

function expandOne(
  id: string,
  path: NamedStep["path"],
  source: NamedCall | CallSource,
  context: StepContext,
): CallStep {
  const { call, request, readBack, as = context.as, headers, outputs } = source as NamedCall;
  const { operations, complain } = context;
  const inputs = call === undefined ? undefined : operations.get(call);
  if (call !== undefined && inputs === undefined) {
    complain(
      [...path, "call"],
      `the contract has no operation \`${call}\`: ${didYouMean(call, [...operations.keys()])}`,
    );
  }
  checkCaller(as, (text) => complain("as" in source ? [...path, "as"] : ["as"], text), context);
  for (const output of Object.values(outputs ?? {}))
    checkOutput(output, (text) => complain([...path, "outputs"], text));
  return {
    kind: "call",
    id,
    as,
    call,
    ...(inputs === undefined
      ? { with: {} }
      : valuesOf(source, inputs, (place, text) => complain([...path, ...place], text))),
    headers,
    request,
    // Whether a read before or after a refused request succeeds says nothing about that request.
    expect: readBack === undefined ? [expectedIn(source, path, context)] : [],
    ...notesOf(source),
    ...withinOf(source, inputs?.method ?? request?.method ?? "", (text) => complain([...path, "within"], text)),
    outputs,
    readBack,
  };
}

function notesOf({ rules, precondition }: Pick<CallSource, "rules" | "precondition">): {
  rules?: readonly string[];
  precondition?: true;
} {
  return { rules, ...(precondition === true ? { precondition } : {}) };
}

function withinOf({ within }: Pick<CallSource, "within">, method: string, complain: (text: string) => void) {
  if (within === undefined) return {};
  if (!/^(?:get|head)$/i.test(method)) complain("only a read can be repeated: remove `within`");
  return { within };
}

function expectedIn(source: CallSource, path: NamedStep["path"], context: StepContext): Expected {
  const { status = 200, headers, bytes, ...body } = source.expect ?? {};
  const tests = { ...headers, ...body, ...(typeof status === "object" ? { status } : {}) };
  for (const [key, matcher] of Object.entries(tests))
    checkMatcher(matcher as Matcher, [...path, "expect", key], context);
  const recommendedBy =
    typeof status === "number" && status >= 400 ? context.statusRule(source.rules ?? context.workflowRules) : undefined;
  return {
    status: status === "any" ? undefined : status,
    recommendedBy,
    ...(Object.keys(body).length === 0 ? {} : { body: body as Record<string, Matcher> }),
    headers,
    bytes,
  };
}

function checkMatcher(matcher: Matcher, path: NamedStep["path"], { complain }: StepContext): void {
  try {
    compileMatcher(matcher);
  } catch (error) {
    complain(path, error instanceof Error ? error.message : String(error));
  }
}

function checkOutput(output: Output, complain: (text: string) => void): void {
  const places = typeof output === "string" ? [output] : [output.at].flat();
  for (const place of places) {
    if (!/^(?:$|\/|header \S+$)/.test(place)) complain(`\`${place}\` is neither a JSON pointer nor \`header <name>\``);
  }
}

function checkCaller(
  as: Caller,
  complain: (text: string) => void,
  { catalogue, callers, credentials, first }: StepContext,
): void {
  if (typeof as !== "string") {
    const unknown = Object.keys(as).find((name) => !credentials.includes(name));
    if (unknown !== undefined) complain(`no request logs in by \`${unknown}\`: ${didYouMean(unknown, credentials)}`);
    return;
  }
  if (outsiders.includes(as)) return;
  // Without provider states, the callers are the accounts of a run.
  if (catalogue.names.length === 0 && callers.includes(as)) return;
  if (!catalogue.callers.includes(as)) {
    complain(`there is no caller \`${as}\`: ${didYouMean(as, [...catalogue.callers, ...outsiders])}`);
  } else if (first === undefined) {
    complain(`\`${as}\` exists only in a provider state: write \`given: [${catalogue.names[0] ?? "…"}]\``);
  }
}

/** The parameters of a call, with those that the operation lacks. */
function valuesOf(
  { call, with: values = {}, unknown = {} }: Pick<CallSource, "call" | "with" | "unknown">,
  operation: Operation,
  complain: Complain,
): Pick<CallStep, "with" | "written"> {
  const inputs = new Map(inputsOf(operation).map((one) => [one.name, one]));
  const isJsonBody = operation.bodies?.[0]?.form === "json";
  for (const name of Object.keys(values)) {
    if (!inputs.has(name)) {
      const known = didYouMean(name, [...inputs.keys()]);
      complain(
        ["with", name],
        `\`${call}\` has no \`${name}\`: ${known} What is sent on purpose stands in \`unknown\`.`,
      );
    }
  }
  for (const name of Object.keys(unknown)) {
    if (inputs.has(name)) complain(["unknown", name], `\`${call}\` has \`${name}\`: write it in \`with\``);
  }
  const sent: Record<string, unknown> = { ...values, ...unknown };
  const written: Record<string, Written> = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== "string" || /^\$[A-Za-z]/.test(value)) continue;
    const { place, json } = inputs.get(name) ?? {};
    if (place === "path" && value.includes("/")) {
      sent[name] = value.replace(/[^/@]+/g, percentEncode);
      written[name] = "verbatim";
    } else if (json && !(isJsonBody && place === "body")) written[name] = "text";
  }
  return { with: sent, ...(Object.keys(written).length === 0 ? {} : { written }) };
}
