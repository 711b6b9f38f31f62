import { createHash } from "node:crypto";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { loadContract } from "../../../chat/contract.js";
import { chatAtLevel } from "../../../chat/verify.js";
import { contractVersions } from "../../../versions.js";
import { createClientJudge } from "../../clients/create-client-judge.js";
import type { Mask } from "../../excerpt.js";
import type { CoverageCounter } from "../coverage.js";
import type { ReactionRequest } from "../create-reactions.js";
import type { JudgedSide } from "../create-traffic-recorder.js";
import type { Finding, RecordedExchange } from "../traffic.js";
import type { TrafficContract } from "../traffic-contract.js";
import { countExchange, countRefusal, coverageItems } from "./count-exchange.js";
import { decodeExchange, type ReadExchange } from "./decode-exchange.js";
import { describeRecorded } from "./describe-recorded.js";
import { judgeResponse } from "./judge-response.js";
import { type OperationsAtLevel, operationsAtLevel } from "./operations-at-level.js";
import { judgeRequest } from "./request/judge-request.js";
import { createExchangeMasks } from "./secrets-of-exchange.js";
import { trafficRules } from "./traffic-rules.js";

/** The traffic of a chat server. */
export interface ChatTraffic extends TrafficContract {
  /** The level whose contract applies. */
  readonly level: number;
  /** The operations of this level. */
  readonly operations: OperationsAtLevel;
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
  { level: given, basePath = "" }: { readonly level: number; readonly basePath?: string },
): Promise<ExchangeJudgement> {
  const level = Math.min(given, newestLevel);
  const { contract, validators } = await chatAtLevel(level);
  const operations = operationsAtLevel(contract, level);
  const read = await decodeExchange(exchange, operations, basePath);
  const mask = createExchangeMasks().maskOf(exchange);
  return {
    operation: read.operation,
    findings: [
      ...judgeRequest(read, operations, mask).findings,
      ...judgeResponse(read, operations, validators, mask).findings,
    ],
  };
}

/** Describes the traffic of a server of a feature level. `target` is the URL of the API, such as `http://127.0.0.1:4011/api/v1`. */
export async function createChatTraffic(given: number, target: string): Promise<ChatTraffic> {
  const level = Math.min(given, newestLevel);
  const { contract, validators } = await chatAtLevel(level);
  const operations = operationsAtLevel(contract, level);
  const { origin, pathname } = new URL(target);
  const basePath = pathname.replace(/\/api\/v1\/*$/, "");
  const clients = createClientJudge(await loadContract(), level);
  const { maskOf } = createExchangeMasks();

  async function judge(exchange: RecordedExchange, coverage: CoverageCounter): Promise<readonly JudgedSide[]> {
    const read = await decodeExchange(exchange, operations, basePath);
    const mask = maskOf(exchange);
    const request = judgeRequest(read, operations, mask);
    const response = judgeResponse(read, operations, validators, mask);
    const findings = [...request.findings, ...clients.observe(read)];
    countExchange(read, coverage, response.unread);
    countRefusal(read, coverage, { isExplained: findings.length > 0, mask, contract });
    coverage.reaction(toReaction(read));
    // Only mistakes are of interest where the contract has no operation.
    if (read.operation === undefined && findings.length === 0) return [];
    const operation = read.operation ?? displayName(read, mask);
    const describe = async () => [await describeRecorded(read, origin, mask)];
    const client = { party: "client", operation, findings, shown: request.shown, describe } as const;
    return response.shown.length === 0 ? [client] : [client, { party: "server", operation, ...response, describe }];
  }

  return {
    level,
    operations,
    about: {
      contract: "chat",
      version: contractVersions.chat,
      target,
      level,
      rules: [...trafficRules, ...clients.rules],
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
