import type { Mask } from "../../../judge/excerpt.js";
import { createQuoter } from "../../../judge/quote.js";
import {
  trafficRule as rule,
  type TrafficFinding,
  type TrafficJudgement,
  trafficFindingOf,
} from "../../judge/finding.js";
import type { ReadExchange } from "../exchange/decode-exchange.js";
import type { OperationsAtLevel } from "../exchange/operations-at-level.js";

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
  readonly judgement: () => TrafficJudgement;
}

/** How many findings of one request are kept. */
const maxFindings = 30;

/** Begins the judgement on a request. */
export function createJudgedRequest(exchange: ReadExchange, contract: OperationsAtLevel, mask: Mask): JudgedRequest {
  const findings: TrafficFinding[] = [];
  const shown = new Set<string>();
  return {
    exchange,
    contract,
    find: (name, subject, problem) => {
      // Each finding keeps the exchange for the report.
      if (findings.length >= maxFindings) return;
      findings.push(trafficFindingOf("client", requestRules[name], mask(problem), mask(subject)));
    },
    show: (...names) => {
      for (const name of names) shown.add(requestRules[name].id);
    },
    quote: createQuoter(mask),
    judgement: () => ({ findings, shown: [...shown] }),
  };
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

/** The rules about requests to any operation. The schemas of the contract state all others. */
export const requestRules = {
  operation: rule(
    "request.operation",
    "must",
    "A request names an operation of the contract, with its method and path.",
  ),
  level: rule(
    "request.level",
    "must",
    "A request uses only operations and parameters that the feature level of the server has.",
  ),
  name: rule("request.name", "must", "Parameters are spelt as in the contract."),
  unsupported: rule(
    "request.unsupported",
    "should",
    "A request has no parameters that its operation does not support.",
  ),
  required: rule("request.required", "must", "A request has every required parameter."),
  place: rule(
    "request.place",
    "must",
    "Parameters are where the contract has them: in the path, query string, headers, cookies or body.",
  ),
  type: rule(
    "request.type",
    "must",
    "Parameters are encoded as the contract says: as JSON, or as plain text of their types.",
  ),
  value: rule("request.value", "must", "Parameters have values that the contract allows."),
  plainText: rule(
    "request.plain-text",
    "should",
    "Text is sent unchanged: neither as JSON text nor as the name of an object's type.",
  ),
  encoding: rule("request.encoding", "should", "The path and query are percent-encoded UTF-8."),
  repeated: rule("request.repeated", "should", "Each parameter is sent once."),
  mediaType: rule("request.media-type", "must", "The body has a media type of the contract, and is well-formed."),
  credentials: rule(
    "request.credentials",
    "must",
    "A request that needs a login has well-formed credentials of the kind that the contract describes.",
  ),
  credentialsInUrl: rule("request.credentials-in-url", "must", "URLs hold no credentials."),
  deprecated: rule(
    "request.deprecated",
    "should",
    "A request uses nothing that is deprecated at the feature level of the server.",
  ),
} as const;
