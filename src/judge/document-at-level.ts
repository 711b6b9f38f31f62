import { type Case, listCases } from "../contract/rest/cases.js";
import type { ContractDocument } from "../contract/rest/document.js";
import { exampleCases } from "../contract/rest/example-cases.js";
import { atFeatureLevel } from "../contract/rest/level/at-feature-level.js";
import { casesAtLevel } from "../contract/rest/level/cases-at-level.js";
import { withoutNewRequirements } from "../contract/rest/level/without-new-requirements.js";
import { newestLevelOf, type RestContract } from "../contract/rest/rest-contract.js";
import type { ResponseValidators } from "../contract/rest/validator.js";
import { compileValidators } from "./validators.js";

/** A document as of a feature level, with what judging needs. */
export interface DocumentAtLevel {
  readonly level: number;
  readonly contract: ContractDocument;
  readonly cases: readonly Case[];
  readonly validators: ResponseValidators;
}

/** The last result for each contract, because most runs of a process use one level. */
const last = new WeakMap<RestContract, DocumentAtLevel>();

/** Returns the document of a contract as of a level, at most the newest. The result is shared, so callers must not modify it. */
export function documentAtLevel(source: RestContract, level: number): DocumentAtLevel {
  const known = last.get(source);
  if (known?.level === level) return known;
  const { document: newest, newestLevel, hasExamples, validators } = source;
  const { contract, written } = viewOf(newest, level);
  const current = {
    level,
    contract,
    cases: hasExamples ? [...written, ...exampleCases(contract, written)] : written,
    validators: (level === newestLevel ? validators : undefined) ?? compileValidators(contract),
  };
  last.set(source, current);
  return current;
}

/** The document as of a level, and its written cases. One that never changes, and has none, is not copied: it may be large. */
function viewOf(newest: ContractDocument, level: number): { contract: ContractDocument; written: Case[] } {
  if (newestLevelOf(newest) === 0 && listCases(newest).length === 0) return { contract: newest, written: [] };
  const contract = withoutNewRequirements(atFeatureLevel(newest, level), level);
  return { contract, written: casesAtLevel(newest, level) };
}
