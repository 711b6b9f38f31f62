import type { WorkflowStep } from "../../../src/contract/chat/workflows.js";
import { mapTexts } from "../../map-texts.js";
import type { StateCatalogue } from "../../states/catalogue.js";
import { didYouMean } from "../../yaml-source.js";
import { expandExpectation } from "./expectation.js";
import { hasExpression, type LiteralTexts } from "./literal-texts.js";
import type { Complain, NamedCall, NamedStep } from "./name-steps.js";
import type { OperationInputs } from "./operation-inputs.js";
import type { Caller } from "./workflow-source.js";

/** An Arazzo step. */
export type ArazzoStep = WorkflowStep & {
  /** The file and line of its source. */
  readonly "x-source": string;
  readonly "x-security"?: readonly object[];
};

/** What a step may refer to, and what its expansion needs. */
export interface StepContext {
  readonly catalogue: StateCatalogue;
  readonly operations: ReadonlyMap<string, OperationInputs>;
  /** The caller of the workflow. */
  readonly as: Caller;
  /** The step that creates the organization; undefined if there is none. */
  readonly first: string | undefined;
  readonly source: string;
  readonly workflowId: string;
  /** The rules of the workflow. */
  readonly workflowRules: readonly string[];
  /** Returns the rule that recommends the status of errors. Undefined if one of the rules that the error shows states the status. */
  readonly statusRule: (shown: readonly string[]) => string | undefined;
  readonly complain: Complain;
  readonly texts: LiteralTexts;
}

/** The parts of a step that are sent. */
const sentParts: ReadonlySet<string> = new Set(["parameters", "requestBody", "x-security"]);

/** Converts a step to Arazzo, without the outputs that later steps need. */
export function expandStep(step: NamedStep, context: StepContext): ArazzoStep {
  const { first, catalogue, complain, texts } = context;
  const written = step.kind === "setup" ? expandSetup(step, context) : expandCall(step, context);
  const write = (text: string) => texts.write(text, (problem) => complain(step.path, problem));
  const parts = Object.entries(written).map(([key, part]) => [key, sentParts.has(key) ? mapTexts(part, write) : part]);
  const expanded: ArazzoStep = Object.fromEntries(parts);
  return mapTexts(expanded, (text) => {
    const unreplaced = inObject.exec(text)?.[1];
    if (unreplaced !== undefined) {
      complain(
        step.path,
        `Redocly sends \`${unreplaced}\` as it is: put a lone { into a text that follows it in its object`,
      );
    }
    return text.replace(/\$credentials\.([\w-]+)\.(\w+)/g, (written, caller: string, field: string) => {
      if (!catalogue.callers.includes(caller)) {
        complain(step.path, `there is no caller \`${caller}\`: ${didYouMean(caller, catalogue.callers)}`);
      } else if (!credentialFields.includes(field)) {
        complain(step.path, `\`${written}\` names no value: ${didYouMean(field, credentialFields)}`);
      } else if (first === undefined || first === step.id) {
        complain(step.path, `\`${written}\` needs a state that is set up before: write \`given: [organization]\``);
      }
      return `$steps.${first}.outputs.${caller}_${field}`;
    });
  });
}

/** An expression in a JSON object within a text. */
const inObject = /\{[^{}]*(\{\$[^{}]*\})[^{}]*\}/;

/** The fields that every setup returns for each caller. */
export const credentialFields = ["user_id", "email", "api_key"];

function expandSetup({ id, path, source }: NamedStep & { kind: "setup" }, context: StepContext): ArazzoStep {
  const { state, fresh = false, rules, expect, outputs } = source;
  const isFirst = id === context.first;
  if (isFirst && fresh) context.complain(path, "the first state makes a fresh organization anyway: remove `fresh`");
  const organization = isFirst || fresh ? {} : { organization: `$steps.${context.first}.outputs.organization` };
  const params = { ...organization, ...source.params };
  const payload = {
    state,
    ...(Object.keys(params).length === 0 ? {} : { params }),
    action: "setup",
    check: `workflow ${context.workflowId}`,
  };
  for (const message of context.catalogue.setupProblems(payload)) context.complain(path, message);
  return {
    stepId: id,
    "x-source": context.source,
    ...(rules === undefined ? {} : { "x-rules": rules }),
    operationId: "$sourceDescriptions.states.changeState",
    requestBody: { contentType: "application/json", payload },
    successCriteria: criteriaOf(expect, false, (text) => context.complain([...path, "expect"], text)),
    ...(isFirst || outputs !== undefined
      ? { outputs: { ...(isFirst ? { organization: "$response.body#/organization" } : {}), ...outputs } }
      : {}),
  };
}

function expandCall({ id, path, source }: NamedStep & { kind: "call" }, context: StepContext): ArazzoStep {
  const { call, rules, shown, readBack, as = context.as, outputs, expect } = source;
  const { operations, complain } = context;
  const inputs = operations.get(call);
  if (inputs === undefined) {
    complain(
      [...path, "call"],
      `the contract has no operation \`${call}\`: ${didYouMean(call, [...operations.keys()])}`,
    );
  }
  const status = recommendedStatus(source, context);
  const security = securityOf(as, (text) => complain("as" in source ? [...path, "as"] : ["as"], text), context);
  return {
    stepId: id,
    "x-source": context.source,
    ...(rules === undefined ? {} : { "x-rules": rules }),
    ...(shown === undefined ? {} : { "x-shown": shown }),
    ...(readBack === undefined ? {} : { "x-read-back": readBack }),
    ...(status === undefined ? {} : { "x-recommended-status": status }),
    operationId: `$sourceDescriptions.chat.${call}`,
    ...(security === undefined ? {} : { "x-security": [security] }),
    ...(inputs === undefined ? {} : requestOf(source, inputs, (place, text) => complain([...path, ...place], text))),
    // A read that is refused says nothing about the request before or after it; one that gets 429 is repeated.
    successCriteria:
      readBack === undefined
        ? criteriaOf(expect, status !== undefined, (text) => complain([...path, "expect"], text))
        : [{ condition: "$statusCode != 429" }],
    ...(outputs === undefined ? {} : { outputs }),
  };
}

/** The status that an error of a call should have, unless a rule states it. */
function recommendedStatus(
  { rules, expect }: NamedCall,
  { workflowRules, statusRule }: StepContext,
): WorkflowStep["x-recommended-status"] {
  const status = expect?.status;
  if (typeof status !== "number" || status < 400) return undefined;
  const rule = statusRule(rules ?? workflowRules);
  return rule === undefined ? undefined : { status, rule };
}

function criteriaOf(expect: NamedCall["expect"], isOpenStatus: boolean, complain: (text: string) => void) {
  try {
    return expandExpectation(expect, { isOpenStatus });
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return [];
  }
}

function securityOf(as: Caller, complain: (text: string) => void, { catalogue, first }: StepContext) {
  if (as === "nobody") return undefined;
  if (typeof as === "string") {
    if (!catalogue.callers.includes(as)) {
      complain(`there is no caller \`${as}\`: ${didYouMean(as, [...catalogue.callers, "nobody"])}`);
    } else if (first === undefined) {
      complain(`\`${as}\` exists only in an organization: write \`given: [organization]\``);
    }
  }
  const [username, password] =
    typeof as === "string" ? [`$credentials.${as}.email`, `$credentials.${as}.api_key`] : [as.email, as.api_key];
  return { schemeName: "basicAuth", values: { username, password } };
}

/** Percent-encodes a path parameter, because Respect inserts it verbatim. Keeps `/` and `@`, and texts with expressions. */
function encodePath(value: unknown): unknown {
  if (typeof value !== "string" || hasExpression(value)) return value;
  return value.replace(/[^/@]+/g, encodeURIComponent);
}

/** Returns the parameters and the body of a call. */
function requestOf(
  { call, with: values = {}, headers = {}, unknown = {} }: NamedCall,
  { places, encoded, mediaType }: OperationInputs,
  complain: Complain,
): Pick<WorkflowStep, "parameters" | "requestBody"> {
  const parameters: { name: string; in: string; value: unknown }[] = [];
  const payload: Record<string, unknown> = {};
  const put = (name: string, place: string, value: unknown) => {
    if (place === "body") payload[name] = value;
    else parameters.push({ name, in: place, value: place === "path" ? encodePath(value) : value });
  };
  for (const [name, value] of Object.entries(values)) {
    const place = places.get(name);
    const isText = typeof value !== "object" || value === null;
    if (place === undefined) {
      const known = didYouMean(name, [...places.keys()]);
      complain(
        ["with", name],
        `\`${call}\` has no \`${name}\`: ${known} What is sent on purpose stands in \`unknown\`.`,
      );
    } else if (!isText && !encoded.has(name)) {
      complain(["with", name], `\`${name}\` of \`${call}\` is not sent as JSON: write it as text`);
    } else {
      put(name, place, isText ? value : JSON.stringify(value));
    }
  }
  for (const [name, value] of Object.entries(unknown)) {
    if (places.has(name)) complain(["unknown", name], `\`${call}\` has \`${name}\`: write it in \`with\``);
    put(name, mediaType === undefined ? "query" : "body", value);
  }
  for (const [name, value] of Object.entries(headers)) parameters.push({ name, in: "header", value });
  return {
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(mediaType === undefined || Object.keys(payload).length === 0
      ? {}
      : { requestBody: { contentType: mediaType, payload } }),
  };
}
