import { isObject } from "../base/is-object.js";
import type { ReadBackOf } from "../contract/check.js";
import { didYouMean, type Path } from "../contract/yaml-source.js";
import type { CallSource, Component, DefaultCall, SetupSource, WorkflowSource } from "./workflow-source.js";

/** Reports a problem with the value at a path of a workflow. */
export type Complain = (path: Path, text: string) => void;

/** A step merged with its component, with an id that is unique in the workflow. */
export type NamedStep =
  | { readonly kind: "setup"; readonly id: string; readonly path: Path; readonly source: NamedSetup }
  | { readonly kind: "call"; readonly id: string; readonly path: Path; readonly source: NamedCall };

export type NamedSetup = SetupSource & { readonly state: string };
export type NamedCall = CallSource & { readonly readBack?: ReadBackOf };

/** Names the steps of a workflow, starting with those of `given`. Reports invalid steps and omits them. */
export function nameSteps(
  { given = [], default: defaultCall, steps }: WorkflowSource,
  components: Readonly<Record<string, Component>>,
  complain: Complain,
): NamedStep[] {
  if (defaultCall !== undefined && steps.every(namesAction))
    complain(["default"], "no step extends `default`: remove it");
  const written = [
    ...given.map((step, index) => [typeof step === "string" ? { state: step } : step, ["given", index]] as const),
    ...steps.map((step, index) => [extendDefault(step, defaultCall), ["steps", index]] as const),
  ];
  const taken = new Set(written.flatMap(([{ id }]) => id ?? []));
  const seen = new Set<string>();
  return written.flatMap(([step, path]): NamedStep[] => {
    const source = fillIn(step, path, components, complain);
    if (source === undefined) return [];
    const isSetup = "state" in source;
    const { id = isSetup ? freeName(source.state, taken) : undefined } = source;
    if (id === undefined) {
      complain(path, "a call needs an `id`, under which reports name it");
      return [];
    }
    if (seen.has(id)) complain(path, `another step is called \`${id}\`: rename one`);
    seen.add(id);
    taken.add(id);
    return [isSetup ? { kind: "setup", id, path, source } : { kind: "call", id, path, source }];
  });
}

/** The keys of which a step has one. */
const actions = ["state", "call", "use", "request", "parallel"] as const;

function namesAction(step: SetupSource | CallSource): boolean {
  return actions.some((key) => key in step);
}

function extendDefault(step: SetupSource | CallSource, defaultCall: DefaultCall | undefined): SetupSource | CallSource {
  if (defaultCall === undefined || namesAction(step)) return step;
  const call = step as CallSource;
  return { ...defaultCall, ...call, with: { ...defaultCall.with, ...call.with } };
}

function freeName(state: string, taken: ReadonlySet<string>): string {
  let name = state;
  for (let number = 2; taken.has(name); number++) name = `${state}-${number}`;
  return name;
}

const setupKeys = ["id", "use", "state", "params", "fresh", "rules", "expect"];
const callKeys = [
  ...["id", "use", "call", "request", "parallel", "as", "rules", "precondition", "within"],
  ...["with", "headers", "unknown", "expect", "outputs"],
];

/**
 * Merges a step with its component; the values of the step take precedence. If the step is invalid, reports it and
 * returns undefined.
 */
function fillIn(
  step: SetupSource | CallSource,
  path: Path,
  components: Readonly<Record<string, Component>>,
  complain: Complain,
): NamedSetup | NamedCall | undefined {
  if (actions.filter((key) => key in step).length !== 1) {
    complain(path, "a step needs exactly one of `state`, `call`, `use`, `request` and `parallel`");
    return undefined;
  }
  const { use } = step;
  const component = use === undefined ? undefined : components[use];
  if (use !== undefined && component === undefined) {
    complain([...path, "use"], `components.yaml has no \`${use}\`: ${didYouMean(use, Object.keys(components))}`);
    return undefined;
  }
  const whole = { ...component, ...step };
  const isSetup = "state" in whole;
  for (const key of Object.keys(step)) {
    if (!(isSetup ? setupKeys : callKeys).includes(key))
      complain(
        [...path, key],
        `\`${key}\` is not a key of a step that ${isSetup ? "sets a state up" : "calls an operation"}`,
      );
  }
  if (isSetup) {
    const base = component !== undefined && "params" in component ? component.params : undefined;
    return { ...whole, params: merge(base ?? {}, ("params" in step && step.params) || {}) } as NamedSetup;
  }
  const base = component !== undefined && "with" in component ? component.with : undefined;
  return { ...whole, with: { ...base, ...("with" in step ? step.with : {}) } } as NamedCall;
}

function merge(base: Readonly<Record<string, unknown>>, over: Readonly<Record<string, unknown>>) {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = isObject(below) && isObject(value) ? merge(below, value) : value;
  }
  return merged;
}
