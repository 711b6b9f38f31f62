import type { ContractDocument, Reference } from "../../contract/rest/document.js";
import { atFeatureLevel } from "../../contract/rest/level/at-feature-level.js";
import { listOperations, parametersOf } from "../../contract/rest/operations.js";
import { listRules } from "../../contract/rest/rules.js";
import type { StatesCatalogue } from "../../contract/rest/states.js";
import { probesOf } from "../../verify/rest/contract-at-level.js";

/**
 * Describes, in a sentence, each `shown-by` and `x-refers-to` that yields no check at any feature level. Otherwise a
 * probe without a suitable case would be missing without any error.
 */
export function probeProblems(contract: ContractDocument, states: StatesCatalogue): string[] {
  const rules = listRules(contract);
  const references = listReferences(contract);
  const referring = references.flatMap((reference) => reference.rules.map((rule) => `${reference.name}: ${rule}`));
  // Cases show the status of errors.
  const derived = rules.flatMap(({ id, "shown-by": shownBy }) =>
    shownBy === undefined || shownBy.kind === "error-status" ? [] : id,
  );
  const missingRules = new Set(derived);
  const missingReferences = new Set(references.map(({ name }) => name));
  const missingReferring = new Set(referring);
  for (const level of levelsOf(contract)) {
    if (missingRules.size + missingReferences.size + missingReferring.size === 0) break;
    for (const { id, operation, rules: shown } of probesOf(atFeatureLevel(contract, level), states)) {
      const [, parameter] = /\/(.*)-of-another-organization$/.exec(id) ?? [];
      if (parameter === undefined) {
        for (const rule of shown) missingRules.delete(rule);
        continue;
      }
      const name = `${operation}.${parameter}`;
      missingReferences.delete(name);
      for (const rule of shown) missingReferring.delete(`${name}: ${rule}`);
    }
  }
  return [
    ...[...missingRules].map((id) => `${id}: \`shown-by\` leads to no probe. Add a case that the probe can change.`),
    ...[...missingReferences].map((name) => `${name}: \`x-refers-to\` leads to no probe. Add a success that sends it.`),
    ...[...missingReferring].map((text) => `${text}: no probe of this \`x-refers-to\` shows the rule at any level.`),
  ];
}

/** The parameters with `x-refers-to`, named `<operationId>.<parameter>`, with the rules on them. */
function listReferences(contract: ContractDocument): { readonly name: string; readonly rules: readonly string[] }[] {
  return listOperations(contract).flatMap(({ operation }) => {
    const fields = Object.values(operation.requestBody?.content ?? {}).flatMap(({ encoding = {} }) =>
      Object.entries(encoding).map(([name, { "x-refers-to": reference }]) => ({ name, reference })),
    );
    const parameters = parametersOf(contract, operation).map(({ name, "x-refers-to": reference }) => ({
      name,
      reference,
    }));
    return [...parameters, ...fields].flatMap(
      ({ name, reference }: { name: string; reference?: Reference | undefined }) =>
        reference === undefined ? [] : { name: `${operation.operationId}.${name}`, rules: reference.rules ?? [] },
    );
  });
}

/** The newest level, at which most probes exist, then the level of each change and the one below it, from the oldest. */
function levelsOf(contract: ContractDocument): number[] {
  const changes = [...JSON.stringify(contract).matchAll(/"(?:added|removed|level|since|until)":(\d+)/g)];
  const levels = changes.flatMap(([, level]) => [Number(level) - 1, Number(level)]);
  const ascending = [...new Set([0, ...levels])].sort((a, b) => a - b);
  return [...ascending.slice(-1), ...ascending.slice(0, -1)];
}
