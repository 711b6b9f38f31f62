import { loadContract } from "../../../contract/rest/contract-file.js";
import { levelsOfChange } from "../../../contract/rest/features.js";
import { contractVersions } from "../../../versions.js";
import { contractAtLevel } from "../../rest/contract-at-level.js";
import type { Finding } from "../judge/finding.js";
import type { RecordedExchange } from "../recorded/recorded-exchange.js";
import { decodeExchange } from "./exchange/decode-exchange.js";
import { operationsAtLevel } from "./exchange/operations-at-level.js";
import { createExchangeMasks } from "./exchange/secrets-of-exchange.js";
import { judgeResponse } from "./judge-response.js";
import { judgeRequest } from "./request/judge-request.js";
import type { TrafficSource } from "./rest-traffic.js";

/** Loads the contract of chat servers at a level: the given one, or the newest if that is lower. */
export async function chatAtLevel(given: number): Promise<TrafficSource> {
  const document = await loadContract();
  const level = Math.min(given, ...levelsOfChange(document).slice(-1));
  const { contract, cases, validators } = await contractAtLevel(level);
  return { about: { contract: "chat", version: contractVersions.chat }, document, level, contract, cases, validators };
}

/** The judgement on a single exchange. */
export interface ExchangeJudgement {
  /** The `operationId`. Undefined if the request calls no operation. */
  readonly operation: string | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Judges one exchange by the contract of a feature level, without the rules that need several exchanges. `basePath` is
 * the part before `/api/v1` in the path.
 */
export async function judgeExchange(
  exchange: RecordedExchange,
  { level, basePath = "" }: { readonly level: number; readonly basePath?: string },
): Promise<ExchangeJudgement> {
  const source = await chatAtLevel(level);
  const operations = operationsAtLevel(source.document, source.contract, source.level);
  const read = await decodeExchange(exchange, operations, `${basePath}${operations.all.apiPath}`);
  const mask = createExchangeMasks().maskOf(exchange);
  return {
    operation: read.operation,
    findings: [
      ...judgeRequest(read, operations, mask).findings,
      ...judgeResponse(read, operations, source.validators, mask).findings,
    ],
  };
}
