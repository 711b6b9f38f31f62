import type { ContractDocument } from "../../src/contract/rest/document.js";
import { changeName, listFeatures } from "../../src/contract/rest/features.js";

/**
 * The code of the table behind `supports`: a type of the names of all features and their later changes, and the levels
 * of those that some servers lack. Throws if one name would have two levels.
 */
export function featureLevelModule(document: ContractDocument): string {
  const names = new Set<string>();
  const levels = new Map<string, string>();
  const changes = new Set<string>();
  for (const { name, level, part } of listFeatures(document)) {
    names.add(name);
    const { added, changed = [], deprecated, removed } = level ?? {};
    const changedAt = [...changed.map((change) => change.level), ...(deprecated === undefined ? [] : [deprecated])];
    for (const at of changedAt) changes.add(changeName(name, at));
    if (part !== undefined || (added === undefined && removed === undefined)) continue;
    const row = JSON.stringify({ added, removed });
    if ((levels.get(name) ?? row) !== row) throw new Error(`${name} has two levels: ${levels.get(name)} and ${row}`);
    levels.set(name, row);
  }
  return `// Written by \`npm run generate\`. Not to be edited.

/**
 * The name of a feature: an operation, or one of its parameters, response fields or error codes. With \`@level\` the name of the change or
 * deprecation of the feature at that level.
 */
export type FeatureName =
${[...names, ...changes].map((name) => `  | ${JSON.stringify(name)}`).join("\n")};

/** Levels of the features that not every server has. */
export const featureLevels: Readonly<Partial<Record<FeatureName, { readonly added?: number; readonly removed?: number }>>> = {
${[...levels].map(([name, row]) => `  ${JSON.stringify(name)}: ${row},`).join("\n")}
};

/** The names of all changes and deprecations. They are apart from \`featureLevels\`, because the level is in the name. */
export const featureChanges: readonly FeatureName[] = ${JSON.stringify([...changes], undefined, 2)};
`;
}
