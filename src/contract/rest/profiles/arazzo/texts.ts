import type { Output, Step } from "../../../check.js";
import { expressionOf, expressionsIn, replaceExpressions } from "../../../expressions.js";
import { textsIn } from "../../../map-texts.js";
import { type Workflow, workflowName } from "../../workflows.js";

/** A step, or a part of it, that Arazzo or Respect cannot express. The message is a phrase that says what. */
export class NotInArazzoError extends Error {
  override readonly name = "NotInArazzoError";
}

/** Writes the texts of a workflow for Redocly's Respect, and collects what they need. */
export interface ArazzoTexts {
  /** The name of a step, which is unique in its file if later steps may use its values: Respect confuses steps of one name. */
  readonly stepId: (step: Step) => string;
  /** The Arazzo expression for `sent.message_id`. */
  readonly reference: (expression: string) => string;
  /** A text that is sent. */
  readonly text: (text: string) => string;
  /** A value that is sent as JSON text. */
  readonly json: (value: unknown) => string;
  /** The outputs of a step that later steps use. Complete once all steps are written. */
  readonly outputsOf: (step: Step) => Readonly<Record<string, string>> | undefined;
  /** The inputs that hold texts with a `$`. Undefined if there are none. */
  readonly inputs: () => ArazzoInputs | undefined;
}

/** The inputs of a workflow: texts by name. */
export interface ArazzoInputs {
  readonly type: "object";
  readonly properties: Readonly<Record<string, { readonly type: "string"; readonly default: string }>>;
}

/** An expression in a JSON object within a text, which Respect sends as it is. */
const inObject = /\{[^{}]*(\{\$[^{}]*\})[^{}]*\}/;

export function createTexts(workflow: Workflow): ArazzoTexts {
  const { steps } = workflow;
  const prefix = workflowName(workflow);
  const outputs = new Map<string, Map<string, string>>();
  const names = new Map<string, string>();

  function stepId(step: Step): string {
    const isNamedInOthers = step.kind === "state" || (step.kind === "call" && step.outputs !== undefined);
    return isNamedInOthers ? `${prefix}-${step.id}` : step.id;
  }

  function reference(expression: string): string {
    const [head = "", ...path] = expression.split(".");
    if (head === "response") return `$response.body#/${path.join("/")}`;
    const isCaller = head === "credentials";
    const step = steps.find((one) => (isCaller ? one.kind === "state" : one.id === head));
    if (step === undefined) throw new NotInArazzoError(`$${expression} names no step`);
    const keys = isCaller ? ["credentials", ...path] : path;
    const name = keys.slice(keys[0] === "credentials" ? 1 : 0).join("_");
    const known = outputs.get(step.id) ?? new Map<string, string>();
    outputs.set(step.id, known.set(name, sourceOf(step, keys)));
    return `$steps.${stepId(step)}.outputs.${name}`;
  }

  /** Respect evaluates `$statusCode` and the like wherever they are in a value, but not in the values of inputs. */
  function literal(text: string): string {
    if (!text.includes("$")) return text;
    const name = names.get(text) ?? `text_${names.size + 1}`;
    names.set(text, name);
    return `$inputs.${name}`;
  }

  function withReferences(text: string): string {
    if (/\$[a-z{][\w.]*/i.test(replaceExpressions(text, () => "")))
      throw new NotInArazzoError("Respect evaluates a `$` beside an expression");
    const written = replaceExpressions(text, (expression) => `{${reference(expression)}}`);
    if (inObject.test(written)) throw new NotInArazzoError("Respect leaves an expression in a JSON object as it is");
    return written;
  }

  return {
    stepId,
    reference,
    text: (text) => {
      if (text.startsWith("$$")) return literal(text.slice(2));
      const whole = expressionOf(text);
      if (whole !== undefined) return reference(whole);
      return expressionsIn(text).length === 0 ? literal(text) : withReferences(text);
    },
    json: (value) => {
      const texts = textsIn(value);
      if (texts.some((text) => expressionOf(text) !== undefined))
        throw new NotInArazzoError("Respect quotes no value in JSON text: write `{$step.value}` in a text");
      const written = JSON.stringify(value);
      if (expressionsIn(value).length > 0) return withReferences(written);
      return literal(
        JSON.stringify(value, (_, one) => (typeof one === "string" && one.startsWith("$$") ? one.slice(2) : one)),
      );
    },
    outputsOf: ({ id }) => {
      const own = outputs.get(id);
      return own && Object.fromEntries(own);
    },
    inputs: () => {
      if (names.size === 0) return undefined;
      const properties = [...names].map(([text, name]) => [name, { type: "string", default: text }] as const);
      return { type: "object", properties: Object.fromEntries(properties) };
    },
  };
}

/** The place of a value in the response to a step. */
function sourceOf(step: Step, [name = "", ...path]: readonly string[]): string {
  const below = path.map((key) => `/${key}`).join("");
  switch (step.kind) {
    case "state": {
      const [original = name] = Object.entries(step.rename ?? {}).find(([, renamed]) => renamed === name) ?? [];
      return `$response.body#/${original}${below}`;
    }
    case "call": {
      const place = placeOf(step.outputs?.[name]);
      if (place === "") return below === "" ? "$response.body" : `$response.body#${below}`;
      return place.startsWith("/")
        ? `$response.body#${place}${below}`
        : `$response.header.${place.slice("header ".length)}`;
    }
    case "serve":
      throw new NotInArazzoError("Arazzo starts no hosts");
    case "parallel":
      throw new NotInArazzoError("Arazzo has no parallel steps");
  }
}

function placeOf(output: Output = ""): string {
  if (typeof output === "string") return output;
  const [first, ...others] = [output.at].flat();
  if (others.length > 0 || output.otherwise !== undefined)
    throw new NotInArazzoError("an output of Arazzo has one place and no default");
  return first ?? "";
}
