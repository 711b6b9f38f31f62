import type { ContractDocument } from "../../../src/contract/rest/document.js";
import { atFeatureLevel } from "../../../src/contract/rest/level/at-feature-level.js";
import { withoutNewRequirements } from "../../../src/contract/rest/level/without-new-requirements.js";
import { listOperations } from "../../../src/contract/rest/operations.js";
import type { ResponseValidators } from "../../../src/contract/rest/validator.js";
import { compareWithContract } from "../../../src/judge/compare-with-contract.js";
import { compileValidators } from "../../../src/judge/validators.js";
import type { OperationData } from "./console-data.js";
import type { Answer } from "./send.js";

/** The judgement on a response by the contract of a level. */
export type Judgement =
  | { readonly kind: "fits" }
  | { readonly kind: "problems"; readonly problems: readonly string[] }
  /** The level does not have the operation. */
  | { readonly kind: "absent" }
  | { readonly kind: "unknown"; readonly reason: string };

interface View {
  readonly contract: ContractDocument;
  readonly validators: ResponseValidators;
}

/** The latest view, because people send many requests of one operation at one level. */
let last: { readonly data: OperationData; readonly level: number; readonly view: View } | undefined;

function viewOf(data: OperationData, level: number): View {
  if (last?.data !== data || last.level !== level) {
    const contract = withoutNewRequirements(atFeatureLevel(data.contract, level), level);
    last = { data, level, view: { contract, validators: compileValidators(contract) } };
  }
  return last.view;
}

/** Judges a response by the contract as of a level, as `accord verify` and `accord proxy` do. */
export function judgeAnswer(data: OperationData, level: number, { status, headers, text }: Answer): Judgement {
  const { contract, validators } = viewOf(data, level);
  if (listOperations(contract).length === 0) return { kind: "absent" };
  const sent = new Headers(headers.map(([name, value]): [string, string] => [name, value]));
  const contentType = sent.get("Content-Type") ?? undefined;
  const actual = { status, contentType, headers: sent, text };
  const problems = compareWithContract(contract, data.operationId, actual, validators, (quoted) => quoted);
  return problems.length === 0 ? { kind: "fits" } : { kind: "problems", problems: problems.map(({ text }) => text) };
}
