import { createHash } from "node:crypto";
import type { RestContract } from "../../contract/rest/rest-contract.js";
import { secretPlaces } from "../../contract/rest/security.js";
import { type DocumentAtLevel, documentAtLevel } from "../../judge/document-at-level.js";
import type { Mask } from "../../judge/excerpt.js";
import type { CoverageCounter, ReactionRequest } from "../judge/coverage.js";
import type { TrafficContract } from "../judge/create-traffic-judge.js";
import type { JudgedSide } from "../judge/create-traffic-recorder.js";
import type { TrafficFinding } from "../judge/finding.js";
import type { RecordedExchange } from "../recorded/recorded-exchange.js";
import { createClientJudge } from "./clients/create-client-judge.js";
import { countExchange, countRefusal, coverageItems } from "./count-exchange.js";
import { describeRecorded } from "./describe-recorded.js";
import { decodeExchange, type ReadExchange } from "./exchange/decode-exchange.js";
import { type OperationsAtLevel, operationsAtLevel } from "./exchange/operations-at-level.js";
import { createExchangeMasks } from "./exchange/secrets-of-exchange.js";
import { judgeResponse, responseRules } from "./judge-response.js";
import { judgeRequest } from "./request/judge-request.js";
import { requestRules } from "./request/judged-request.js";

/** Describes the traffic of a server. `target` is the URL of the API, such as `http://127.0.0.1:4011/api/v1`. */
export function createRestTraffic(
  { name, document, newestLevel }: RestContract,
  { level, operations, validators }: TrafficAtLevel,
  target: string,
): TrafficContract {
  const { origin, pathname } = new URL(target);
  const prefix = pathname.replace(/\/+$/, "");
  const clients = createClientJudge(document, level);
  const maskOf = createExchangeMasks(secretPlaces(document));

  async function judge(exchange: RecordedExchange, coverage: CoverageCounter): Promise<readonly JudgedSide[]> {
    const read = await decodeExchange(exchange, operations, prefix);
    const mask = maskOf(exchange);
    const request = judgeRequest(read, operations, mask);
    const response = judgeResponse(read, operations, validators, mask);
    const findings = [...request.findings, ...clients.observe(read)];
    countExchange(read, coverage, { contract: operations.contract, unread: response.unread });
    countRefusal(read, coverage, { isExplained: findings.length > 0, mask, document });
    coverage.reaction(toReaction(read));
    // Only mistakes are of interest where the contract has no operation.
    if (read.operation === undefined && findings.length === 0) return [];
    const operation = read.operation ?? displayName(read, mask);
    const describe = async () => [await describeRecorded(read, origin, mask)];
    const client = { party: "client", operation, findings, shown: request.shown, describe } as const;
    return response.shown.length === 0 ? [client] : [client, { party: "server", operation, ...response, describe }];
  }

  return {
    about: {
      contract: name,
      version: document.info.version,
      target,
      ...(newestLevel === 0 ? {} : { level }),
      rules: [...Object.values(requestRules), ...responseRules(operations), ...clients.rules],
    },
    coverage: coverageItems(operations),
    isOperation: (name) => operations.operations.has(name) || /^[A-Z]+ \//.test(name),
    judge,
    checks: clients.checks,
    maskOf,
  };
}

function toReaction({ recorded, caller = "nobody", method }: ReadExchange): ReactionRequest {
  const { startedAt, endedAt, request, provoked = [] } = recorded;
  // The body is not kept for long, so its digest stands for it.
  const digest = provoked.length === 0 ? undefined : digestOf(request.body);
  return {
    startedAt,
    endedAt,
    caller,
    provoked,
    request: () => `${method} ${request.target} ${digest ?? digestOf(request.body)}`,
  };
}

function digestOf(body: Uint8Array | undefined): string {
  return createHash("sha256")
    .update(body ?? "")
    .digest("base64");
}

/** Names the operation, or else the called endpoint by method and path. */
function displayName({ destination, method, path }: ReadExchange, mask: Mask): string {
  switch (destination.kind) {
    case "operation":
      return destination.operation.operationId;
    case "other-level":
      return destination.operationId;
    case "unknown":
    case "outside":
      return `${method} ${mask(path).replace(/(?<=\/)\d+(?=\/|$)/g, "*")}`.slice(0, 100);
    case "protocol":
      // The rest of the path identifies the upload.
      return `${method} ${path.split("/", 2).join("/")}/*`;
  }
}

/** A contract as of a level, as judging traffic needs it. */
export interface TrafficAtLevel extends Pick<DocumentAtLevel, "cases" | "validators"> {
  /** At most the newest. */
  readonly level: number;
  readonly operations: OperationsAtLevel;
}

/** Returns a contract as of the level of a server. */
export function atLevel(source: RestContract, serverLevel: number): TrafficAtLevel {
  const level = Math.min(serverLevel, source.newestLevel);
  const { contract, cases, validators } = documentAtLevel(source, level);
  return { level, cases, validators, operations: operationsAtLevel(source.document, contract, level) };
}

/** The judgement on a single exchange. */
export interface ExchangeJudgement {
  /** The `operationId`. Undefined if the request calls no operation. */
  readonly operation: string | undefined;
  readonly findings: readonly TrafficFinding[];
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
  const { operations, validators } = atLevel(source, level);
  const read = await decodeExchange(exchange, operations, `${basePath}${operations.all.apiPath}`);
  const mask = createExchangeMasks(secretPlaces(source.document))(exchange);
  return {
    operation: read.operation,
    findings: [
      ...judgeRequest(read, operations, mask).findings,
      ...judgeResponse(read, operations, validators, mask).findings,
    ],
  };
}
