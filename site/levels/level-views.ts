import type { ContractDocument } from "../../src/contract/rest/document.js";
import { listFeatures } from "../../src/contract/rest/features.js";
import { atFeatureLevel } from "../../src/contract/rest/level/at-feature-level.js";
import { listAllRules } from "../../src/contract/rest/rules.js";

/** The contract as of each level that changes it. */
export interface LevelViews {
  /** Level 0 and the levels with changes, in ascending order. */
  readonly levels: readonly number[];
  readonly newest: number;
  readonly at: (level: number) => ContractDocument;
  /** The contract with all parts of all levels. */
  readonly whole: ContractDocument;
}

/** Creates the views of all levels. */
export function createLevelViews(whole: ContractDocument): LevelViews {
  const levels = [0, ...listMarks(whole)];
  const views = new Map(levels.map((level) => [level, atFeatureLevel(whole, level)]));
  const at = (level: number) => {
    const view = views.get(levels.findLast((known) => known <= level) ?? 0);
    if (view === undefined) throw new RangeError(`${level} is not a feature level: pass a whole number from 0`);
    return view;
  };
  return { levels, newest: levels.at(-1) ?? 0, at, whole };
}

/** The levels with changes, in ascending order. */
export function listMarks(document: ContractDocument): number[] {
  const ofFeatures = listFeatures(document).flatMap(({ level }) => [
    level?.added,
    level?.deprecated,
    level?.removed,
    ...(level?.changed ?? []).map((change) => change.level),
  ]);
  const ofRules = listAllRules(document).flatMap(({ since, until }) => [since, until]);
  const marks = new Set([...ofFeatures, ...ofRules].filter((level) => level !== undefined));
  return [...marks].sort((a, b) => a - b).filter((level) => level > 0);
}
