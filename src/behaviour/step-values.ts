import type { CallStep, StateStep, Step } from "../contract/check.js";
import { expressionsIn } from "../contract/expressions.js";
import type { StateCatalogue } from "../contract/rest/states/catalogue.js";
import { didYouMean } from "../contract/yaml-source.js";
import type { Complain, NamedStep } from "./name-steps.js";

/** Adds to each state the values that later steps use. Reports references to unknown steps and values. */
export function addValues(
  steps: readonly Step[],
  named: readonly NamedStep[],
  catalogue: StateCatalogue,
  complain: Complain,
): Step[] {
  const used = new Map<string, Set<string>>();
  for (const [index, step] of steps.entries()) {
    const path = named[index]?.path ?? [];
    for (const expression of expressionsIn(step)) {
      const problem = problemOf(expression, steps.slice(0, index).flatMap(calls), steps[index], catalogue);
      if (problem !== undefined) complain(path, `\`$${expression}\`${problem}`);
      const [id = "", name = ""] = expression.split(".");
      used.set(id, (used.get(id) ?? new Set()).add(name));
    }
  }
  return steps.map((step) => (step.kind === "state" ? { ...step, values: [...(used.get(step.id) ?? [])] } : step));
}

function calls(step: Step): (StateStep | CallStep)[] {
  if (step.kind === "serve") return [];
  return step.kind === "parallel" ? [...step.steps] : [step];
}

function problemOf(
  expression: string,
  earlier: readonly (StateStep | CallStep)[],
  step: Step | undefined,
  catalogue: StateCatalogue,
): string | undefined {
  const [id = "", name = "", field = ""] = expression.split(".");
  if (id === "response") return step?.kind === "call" ? undefined : ": only a call has a response";
  if (id === "unique") return name === "word" ? undefined : " names no value: write `$unique.word`";
  if (id === "credentials") {
    if (!catalogue.callers.includes(name))
      return `: there is no caller \`${name}\`: ${didYouMean(name, catalogue.callers)}`;
    const { credentialFields: fields } = catalogue;
    if (fields.length > 0 && !fields.includes(field)) return ` names no value: ${didYouMean(field, fields)}`;
    return earlier.some(({ kind }) => kind === "state")
      ? undefined
      : ` needs a state that is set up before: write \`given: [${catalogue.names[0] ?? "…"}]\``;
  }
  const target = earlier.find((one) => one.id === id);
  if (target === undefined)
    return ` names no earlier step: ${didYouMean(
      id,
      earlier.map((one) => one.id),
    )}`;
  if (target.kind === "call") {
    return Object.hasOwn(target.outputs ?? {}, name)
      ? undefined
      : `: step \`${id}\` has no output \`${name}\`: add it to the \`outputs\` of that step`;
  }
  const values = catalogue.valuesOf(target.state);
  return values.includes(name)
    ? undefined
    : `: state \`${target.state}\` returns no \`${name}\`: ${didYouMean(name, values)}`;
}
