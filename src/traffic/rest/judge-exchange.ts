import type { RestContract } from "../../contract/rest/rest-contract.js";
import type { Finding } from "../judge/finding.js";
import type { RecordedExchange } from "../recorded/recorded-exchange.js";
import { atLevel } from "./at-level.js";
import { decodeExchange } from "./exchange/decode-exchange.js";
import { createExchangeMasks } from "./exchange/secrets-of-exchange.js";
import { judgeResponse } from "./judge-response.js";
import { judgeRequest } from "./request/judge-request.js";

/** The judgement on a single exchange. */
export interface ExchangeJudgement {
  /** The `operationId`. Undefined if the request calls no operation. */
  readonly operation: string | undefined;
  readonly findings: readonly Finding[];
}

/** How to judge a single exchange. */
export interface JudgeExchangeOptions {
  /** The feature level of the server. Defaults to the newest. */
  readonly level?: number;
  /** The part of the path before that of the API. Defaults to none. */
  readonly basePath?: string;
}

/** Judges one exchange by a contract, without the rules that need several exchanges. */
export async function judgeRestExchange(
  source: RestContract,
  exchange: RecordedExchange,
  { level = source.newestLevel, basePath = "" }: JudgeExchangeOptions,
): Promise<ExchangeJudgement> {
  const { operations, validators } = await atLevel(source, level);
  const read = await decodeExchange(exchange, operations, `${basePath}${operations.all.apiPath}`);
  const mask = createExchangeMasks().maskOf(exchange);
  return {
    operation: read.operation,
    findings: [
      ...judgeRequest(read, operations, mask).findings,
      ...judgeResponse(read, operations, validators, mask).findings,
    ],
  };
}
