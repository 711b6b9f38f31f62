import type { Mask } from "../../../verify/excerpt.js";
import { createQuoter } from "../../../verify/http/quote.js";
import type { Finding } from "../../judge/finding.js";
import { findingOf } from "../../judge/finding.js";
import type { ReadExchange } from "../exchange/decode-exchange.js";
import type { Field } from "../exchange/decode-parameters.js";
import type { OperationsAtLevel } from "../exchange/operations-at-level.js";
import { requestRules } from "./request-rules.js";

/** The judgement on a request. */
export interface RequestJudgement {
  readonly findings: readonly Finding[];
  /** The rules of `requestRules` that the request could have broken. */
  readonly shown: readonly string[];
}

/** A key of `requestRules`. */
export type RequestRule = keyof typeof requestRules;

/** A request that is being judged. */
export interface JudgedRequest {
  readonly exchange: ReadExchange;
  readonly contract: OperationsAtLevel;
  /** Records that the request breaks a rule. `subject` names the part of the request. */
  readonly find: (rule: RequestRule, subject: string, problem: string) => void;
  /** Records that the request could have broken rules. */
  readonly show: (...rules: readonly RequestRule[]) => void;
  readonly quote: (value: unknown) => string;
  readonly judgement: () => RequestJudgement;
}

/** How many findings of one request are kept. */
const maxFindings = 30;

/** Begins the judgement on a request. */
export function createJudgedRequest(exchange: ReadExchange, contract: OperationsAtLevel, mask: Mask): JudgedRequest {
  const findings: Finding[] = [];
  const shown = new Set<string>();
  return {
    exchange,
    contract,
    find: (name, subject, problem) => {
      // Each finding keeps the exchange for the report.
      if (findings.length >= maxFindings) return;
      findings.push(findingOf("client", requestRules[name], mask(problem), mask(subject)));
    },
    show: (...names) => {
      for (const name of names) shown.add(requestRules[name].id);
    },
    quote: createQuoter(mask),
    judgement: () => ({ findings, shown: [...shown] }),
  };
}

/** Lists the parameters of the query string and the body with their texts. */
export function sentFields({
  query,
  body,
}: ReadExchange): { readonly place: "query" | "body"; readonly field: Field }[] {
  return [
    ...query.map((field) => ({ place: "query" as const, field })),
    ...(body.kind === "fields" ? body.fields : []).map((field) => ({ place: "body" as const, field })),
  ];
}

/** Says that the server's level lacks a part of the contract. `levels` are those at which the part exists. */
export function describeOtherLevel(
  name: string,
  levels: { readonly added?: number; readonly removed?: number } | undefined,
  level: number,
): string {
  const { added = 0, removed } = levels ?? {};
  return added > level
    ? `${name} exists from feature level ${added} on, but the server has level ${level}`
    : `${name} was removed at feature level ${removed}, and the server has level ${level}`;
}
