import { textsIn } from "../../map-texts.js";
import type { StateCatalogue } from "../../states/catalogue.js";
import { didYouMean } from "../../yaml-source.js";
import { type ArazzoStep, credentialFields } from "./expand-step.js";
import type { Complain, NamedStep } from "./name-steps.js";

/**
 * Adds to each setup the outputs that later steps use: values in the catalogue, and the organization and the callers,
 * which every setup returns. Reports references to unknown steps and values.
 */
export function addOutputs(
  steps: readonly ArazzoStep[],
  named: readonly NamedStep[],
  catalogue: StateCatalogue,
  complain: Complain,
): ArazzoStep[] {
  const outputs = steps.map((step) => new Map(Object.entries(step.outputs ?? {})));
  for (const [index, step] of steps.entries()) {
    for (const [written, id = "", name = ""] of referencesIn(step)) {
      const path = named[index]?.path ?? [];
      const before = steps.findIndex(({ stepId }) => stepId === id);
      const target = named[before];
      if (target === undefined || before >= index) {
        const earlier = steps.slice(0, index).map(({ stepId }) => stepId);
        complain(path, `\`${written}\` names no earlier step: ${didYouMean(id, earlier)}`);
      } else if (outputs[before]?.has(name)) {
      } else if (target.kind === "call") {
        complain(
          path,
          `\`${written}\`: step \`${id}\` has no output \`${name}\`: add it to the \`outputs\` of that step`,
        );
      } else {
        const values = catalogue.valuesOf(target.source.state);
        const source = sourceOf(name, values, catalogue.callers);
        if (source === undefined)
          complain(
            path,
            `state \`${target.source.state}\` returns no \`${name}\`: ${didYouMean(name, [...values, "organization"])}`,
          );
        else outputs[before]?.set(name, source);
      }
    }
  }
  return steps.map((step, index) => {
    const own = outputs[index] ?? new Map();
    return own.size === 0 ? step : { ...step, outputs: Object.fromEntries(own) };
  });
}

function referencesIn(step: ArazzoStep): RegExpMatchArray[] {
  return textsIn(step).flatMap((text) => [...text.matchAll(/\$steps\.([\w-]+)\.outputs\.(\w+)/g)]);
}

/** Finds the place of a value in the response to a setup. */
function sourceOf(name: string, values: readonly string[], callers: readonly string[]): string | undefined {
  if (name === "organization" || values.includes(name)) return `$response.body#/${name}`;
  const caller = callers.find((one) => name.startsWith(`${one}_`));
  const field = name.slice((caller ?? "").length + 1);
  return caller !== undefined && credentialFields.includes(field)
    ? `$response.body#/credentials/${caller}/${field}`
    : undefined;
}
