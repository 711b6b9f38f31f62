import { createHash } from "node:crypto";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { loadContract } from "../../../contract/chat/contract-file.js";
import { contractVersions, packageVersion } from "../../../versions.js";
import type { Check } from "../../check.js";
import type { Mask } from "../../excerpt.js";
import { createCoverageCounter, faultOfPackage } from "../../traffic/coverage.js";
import { createReactions, type ReactionRequest } from "../../traffic/create-reactions.js";
import { createTrafficRecorder } from "../../traffic/create-traffic-recorder.js";
import { knownFindings, resolvedFindings } from "../../traffic/known-findings.js";
import type { Finding, RecordedExchange } from "../../traffic/traffic.js";
import { toReportedRule, type VerifyReport } from "../../verify-report.js";
import { contractAtLevel } from "../contract-at-level.js";
import { clientRuleJudge } from "./client-rules.js";
import { countExchange, countRefusal, coverageItems } from "./count-exchange.js";
import { decodeExchange, type ReadExchange } from "./decode-exchange.js";
import { listDerivedRules } from "./derived-rules.js";
import { describeRecorded } from "./describe-recorded.js";
import { judgeResponse } from "./judge-response.js";
import { type OperationsAtLevel, operationsAtLevel } from "./operations-at-level.js";
import { judgeRequest } from "./request/judge-request.js";
import { createExchangeMasks, type ExchangeMasks } from "./secrets-of-exchange.js";
import { trafficRules } from "./traffic-rules.js";

/** How to judge traffic. */
export interface TrafficOptions {
  /** The feature level of the server. */
  readonly level: number;
  /** The URL of the API that is shown in reports, such as `http://127.0.0.1:4011/api/v1`. */
  readonly target: string;
  /** Whether recommendations count as broken. Defaults to false. */
  readonly strict?: boolean;
  /** Findings that are known, with the reason. */
  readonly knownFailing?: ReadonlyMap<string, string>;
  /** The minimum share of rules that the traffic must exercise for a verdict, in percent. Defaults to 0. */
  readonly minExercised?: number;
}

/** Judges exchanges one after the other. */
export interface TrafficJudge {
  /** The level whose contract applies. */
  readonly level: number;
  /** The operations of this level. */
  readonly operations: OperationsAtLevel;
  /** Judges an exchange, after all earlier ones. Resolves with the checks of new findings. */
  readonly observe: (exchange: RecordedExchange) => Promise<readonly Check[]>;
  /** The masks of the run. */
  readonly masks: ExchangeMasks;
  /** Waits for all earlier exchanges, and returns the report so far. */
  readonly report: () => Promise<VerifyReport>;
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
  const { contract, validators } = await contractAtLevel(Math.min(level, newestLevel));
  const operations = operationsAtLevel(contract, Math.min(level, newestLevel));
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

/** Creates a judge of the traffic between clients and a server of a feature level. */
export async function createTrafficJudge(options: TrafficOptions): Promise<TrafficJudge> {
  const level = Math.min(options.level, newestLevel);
  const { strict = false, knownFailing = new Map(), target, minExercised = 0 } = options;
  const { contract, validators } = await contractAtLevel(level);
  const operations = operationsAtLevel(contract, level);
  const basePath = new URL(target).pathname.replace(/\/api\/v1\/*$/, "");
  const clients = clientRuleJudge(await loadContract(), level);
  const rules = [...trafficRules, ...listDerivedRules(operations).map(toReportedRule), ...clients.rules];
  const recorder = createTrafficRecorder({ strict });
  const masks = createExchangeMasks();
  const coverage = createCoverageCounter(coverageItems(operations));
  const reactions = createReactions();
  const started = new Date();
  let queue: Promise<unknown> = Promise.resolve();

  async function judge(exchange: RecordedExchange): Promise<readonly Check[]> {
    const read = await decodeExchange(exchange, operations, basePath);
    const mask = masks.maskOf(exchange);
    const request = judgeRequest(read, operations, mask);
    const response = judgeResponse(read, operations, validators, mask);
    const ofClients = clients.observe(read);
    countExchange(read, coverage, response.unread);
    countRefusal(read, coverage, { isExplained: request.findings.length + ofClients.length > 0, mask });
    reactions.observe(toReaction(read));
    const name = read.operation ?? displayName(read, mask);
    // Only mistakes are of interest where the contract has no operation.
    if (read.operation === undefined && request.findings.length + ofClients.length === 0) return [];
    const describe = async () => [await describeRecorded(read, new URL(target).origin, mask)];
    const byParty = (party: Finding["party"]) => ofClients.filter((finding) => finding.party === party);
    return [
      ...(await recorder.add({
        party: "client",
        operation: name,
        findings: [...request.findings, ...byParty("client")],
        shown: request.shown,
        describe,
      })),
      ...(response.shown.length === 0
        ? []
        : await recorder.add({
            party: "server",
            operation: name,
            findings: [...response.findings, ...byParty("server")],
            shown: response.shown,
            describe,
          })),
    ];
  }

  const isOperation = (name: string) => operations.operations.has(name) || /^[A-Z]+ \//.test(name);
  return {
    level,
    operations,
    masks,
    observe: (exchange) => {
      const judged = queue
        .then(() => judge(exchange))
        .catch((error: unknown) => {
          coverage.notJudged(faultOfPackage);
          throw error;
        });
      queue = judged.catch(() => {});
      return judged;
    },
    report: async () => {
      await queue;
      const checks = [...recorder.checks(), ...clients.checks()];
      return {
        contract: "chat",
        version: contractVersions.chat,
        packageVersion,
        target,
        level,
        rules,
        checks: [...checks, ...resolvedFindings(knownFailing, checks)].sort((a, b) => (a.id < b.id ? -1 : 1)),
        existing: new Set([...checks.map(({ id }) => id), ...knownFindings(knownFailing, isOperation)]),
        knownFailing,
        strict,
        minExercised,
        coverage: { ...coverage.result(), provoked: reactions.result() },
        startedAt: started.toISOString(),
        durationMs: Date.now() - started.getTime(),
      };
    },
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
