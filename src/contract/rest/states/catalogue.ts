import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ErrorObject, ValidateFunction } from "ajv";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { createAjv } from "../../../schema/create-ajv.js";
import { describeProblem } from "../../../schema/describe-error.js";
import { outsiders } from "../../calls.js";
import { valueAt } from "../../json-pointer.js";
import { textsIn } from "../../map-texts.js";
import type { CaseNotes, GivenState } from "../document.js";
import { setupAnswer } from "../states.js";
import { readStates, type StateDefinition, type StatesDocument, setupParams, sharedTypes } from "./states-document.js";

/** Checks names, parameters and values against the provider states. Each problem is one sentence. */
export interface StateCatalogue {
  readonly names: readonly string[];
  /** Names of the callers with an account in every organization. */
  readonly callers: readonly string[];
  /** The fields of the credentials of each caller. Empty if the catalogue does not describe them. */
  readonly credentialFields: readonly string[];
  /** Returns the names of a state's values. */
  readonly valuesOf: (state: string) => readonly string[];
  /** The problems with `given`, `as` and `bind` of a case. */
  readonly problems: (notes: CaseNotes) => string[];
  /** The problems with the body of a `POST /states`. Runtime expressions are valid anywhere. */
  readonly setupProblems: (payload: unknown) => string[];
  /** The problems with the catalogue itself. */
  readonly ownProblems: () => string[];
}

const catalogues = new Map<string, StateCatalogue>();

/** Reads the catalogue in the folder of a contract file or one folder above. Without one, no state is known. */
export function createStateCatalogue(contractFile: string): StateCatalogue {
  const file = statesFileOf(dirname(contractFile));
  if (file === undefined) return build({ "x-callers": {}, "x-states": {} });
  const known = catalogues.get(file) ?? build(readStates(file));
  catalogues.set(file, known);
  return known;
}

/** Reads the `states.yaml` of a folder or of its parent. Undefined if neither has one. */
export function readStatesBeside(folder: string): StatesDocument | undefined {
  const file = statesFileOf(folder);
  return file === undefined ? undefined : readStates(file);
}

function statesFileOf(folder: string): string | undefined {
  return [join(folder, "states.yaml"), join(folder, "../states.yaml")].find(existsSync);
}

function build(document: StatesDocument): StateCatalogue {
  const { "x-states": states = {}, "x-callers": described = {} } = document;
  const callers = Object.keys(described);
  const answer = setupAnswer(document);
  const ajv = createAjv({ allErrors: true, strict: false });
  ajv.addSchema(sharedTypes(document));
  const validators = new Map<string, ValidateFunction>();

  function paramProblems(name: string, params: unknown): string[] {
    const state = states[name];
    if (state === undefined) return [`There is no provider state \`${name}\`: ${describedOr(Object.keys(states))}.`];
    const validate = validators.get(name) ?? ajv.compile(setupParams(state));
    validators.set(name, validate);
    if (validate(params ?? {})) return [];
    return (validate.errors ?? [])
      .filter((error) => !isExpression(params, error))
      .map((error) => `State \`${name}\`: params${sentence(error)}.`);
  }

  function problems({ as, given, bind = {} }: CaseNotes): string[] {
    const found: string[] = [];
    if (typeof as === "string" && !callers.includes(as) && !outsiders.includes(as)) {
      found.push(`There is no caller \`${as}\`: use one of ${[...callers, ...outsiders].join(", ")}.`);
    }
    const values = new Set<string>();
    for (const one of given) {
      const { state, params, rename = {} }: GivenState = typeof one === "string" ? { state: one } : one;
      found.push(...paramProblems(state, params));
      const returned = Object.keys(states[state]?.values?.properties ?? {});
      for (const name of Object.keys(rename)) {
        if (!returned.includes(name)) found.push(`State \`${state}\` returns no \`${name}\` to rename.`);
      }
      for (const name of returned) values.add(rename[name] ?? name);
    }
    for (const source of textsIn(bind)) {
      const [head = "", caller = ""] = source.split(".");
      const known = head === "credentials" ? callers.includes(caller) : values.has(head);
      if (!known || given.length === 0) found.push(`\`bind\` names \`${source}\`, which no state of the case returns.`);
    }
    return found;
  }

  return {
    names: Object.keys(states),
    callers,
    credentialFields: Object.keys(answer.credentials),
    valuesOf: (state) => [...Object.keys(states[state]?.values?.properties ?? {}), ...answer.values, "credentials"],
    problems,
    setupProblems: (payload) => {
      const { state, params, action } = (payload ?? {}) as { state?: unknown; params?: unknown; action?: unknown };
      if (action !== "setup" && action !== "teardown") return ["`payload.action` must be setup or teardown."];
      return typeof state === "string" ? paramProblems(state, params) : ["`payload.state` must name a provider state."];
    },
    ownProblems: () => [
      ...Object.entries(states).flatMap(([name, state]) => shapeProblems(ajv, name, state)),
      ...(document["x-types"]?.caller === undefined || String(document["x-types"].caller.enum) === String(callers)
        ? []
        : ["`x-types.caller` must list the names of `x-callers`."]),
    ],
  };
}

/** What to do about an unknown state. */
function describedOr(known: readonly string[]): string {
  const describe = "describe it under `x-states` in the states.yaml beside the contract";
  return known.length === 0 ? describe : `${describe}, or use one of ${known.join(", ")}`;
}

function shapeProblems(ajv: Ajv2020, name: string, { description, params, values }: StateDefinition): string[] {
  const problems = description ? [] : [`State \`${name}\` needs a \`description\`.`];
  for (const [key, schema] of Object.entries({ params, values })) {
    if (schema === undefined) continue;
    if (schema.type !== "object") problems.push(`State \`${name}\`: \`${key}\` must be a schema of \`type: object\`.`);
    if (ajv.validateSchema(schema) !== true)
      problems.push(`State \`${name}\`: \`${key}\` is not a valid JSON Schema: ${ajv.errorsText()}.`);
  }
  return problems;
}

/** Whether the error concerns an expression, whose value is not known before the run. */
function isExpression(params: unknown, { instancePath }: ErrorObject): boolean {
  const value = valueAt(params, instancePath);
  return typeof value === "string" && value.startsWith("$");
}

function sentence(error: ErrorObject): string {
  const place = error.instancePath.replaceAll("/", ".");
  return error.keyword === "additionalProperties"
    ? `${place} has no parameter \`${String(error.params.additionalProperty)}\``
    : `${place} ${describeProblem(error)}`;
}
