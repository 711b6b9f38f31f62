import type { RpcContract } from "../../contract/rpc/contract.js";
import type { RpcNames } from "../../contract/rpc/names.js";
import type { Mask } from "../../judge/excerpt.js";
import { toReportedRule } from "../../report/model/verify-report.js";
import { secretTexts } from "../../verify/rpc/report-mask.js";
import { piecesOfUrl, secretsOfUrl } from "../../verify/rpc/url-parts.js";
import type { CoverageCounter } from "../judge/coverage.js";
import type { TrafficContract } from "../judge/create-traffic-judge.js";
import type { JudgedSide } from "../judge/create-traffic-recorder.js";
import { findingOf } from "../judge/finding.js";
import { createRecentMask } from "../judge/recent-mask.js";
import type { RecordedExchange } from "../recorded/recorded-exchange.js";
import { countCall, coverageItems, createNeededFields } from "./call-coverage.js";
import { judgeAnswer, rulesOfAnswers } from "./judge-answer.js";
import { judgeCall } from "./judge-call.js";
import { createCallRouter, type ReadCall, readCall } from "./read-call.js";
import { describeCall, recordedAsJson } from "./show-call.js";
import { replyRules, trafficRules } from "./traffic-rules.js";

/** How many secrets are remembered. A later response may show those of an earlier request, so reports mask them as well. */
const maxSecrets = 10;

/** Describes the traffic between clients and a server. `names` are those of its services, if they differ from those of the contract. */
export function createRpcTraffic(contract: RpcContract, address: string, names: RpcNames = {}): TrafficContract {
  const { name: contractName, version, rules, clientRules, registry, isSecret } = contract;
  const route = createCallRouter(contract, names);
  const needed = createNeededFields(contract);
  const recentMask = createRecentMask({ maxRemembered: maxSecrets, textsOf: piecesOfUrl });
  /** The secrets of the most recent calls that failed. */
  const failed: string[] = [];
  let latest: ReadCall | undefined;

  /** Reads an exchange once, although it is masked, recorded and judged. */
  function read(exchange: RecordedExchange): ReadCall {
    if (latest?.recorded !== exchange) latest = readCall(exchange, route, registry);
    return latest;
  }

  function maskOf(call: ReadCall): Mask {
    return recentMask([...requestSecrets(call), ...replySecrets(call)]);
  }

  function requestSecrets({ destination, request }: ReadCall): string[] {
    if (destination.kind !== "rpc" || request?.kind !== "message") return [];
    return secretTexts(destination.method.method.input, request.json, isSecret);
  }

  function replySecrets({ destination, answer }: ReadCall): string[] {
    if (destination.kind !== "rpc" || answer?.kind !== "reply") return [];
    return secretTexts(destination.method.method.output, answer.answer.reply, isSecret);
  }

  async function judge(exchange: RecordedExchange, coverage: CoverageCounter): Promise<readonly JudgedSide[]> {
    const call = read(exchange);
    const { destination, request, answer } = call;
    countCall(call, coverage);
    if (destination.kind === "outside") return [];
    const operation = destination.kind === "rpc" ? destination.method.rpc : destination.name;
    const ofCall = judgeCall(call);
    if (destination.kind === "unknown" && ofCall.findings.length === 0) return [];
    const describe = async () => [describeCall(call, { contract, address, names }, maskOf(call))];
    const client: JudgedSide = { party: "client", operation, ...ofCall, describe };
    if (destination.kind !== "rpc") return [client];
    const server = { party: "server", operation, describe } as const;
    if (request?.kind === "message") needed.observe(operation, request.json);
    if (exchange.malformed !== undefined) {
      const problem = `the response is not HTTP: ${exchange.malformed}`;
      const findings = [findingOf("server", replyRules.protocol, problem, "not HTTP")];
      return [client, { ...server, findings, shown: [replyRules.protocol.id] }];
    }
    if (request?.kind !== "message" || exchange.provoked !== undefined || answer === undefined) return [client];
    const ofAnswer = judgeAnswer(
      destination.method,
      { request, answer, earlier: failed.flatMap(secretsOfUrl) },
      contract,
    );
    if (answer.kind === "error") {
      failed.push(...requestSecrets(call));
      failed.splice(0, failed.length - maxSecrets);
    }
    return ofAnswer.unread === undefined ? [client, { ...server, ...ofAnswer }] : [client];
  }

  return {
    about: {
      contract: contractName,
      version,
      target: address,
      rules: [...trafficRules, ...[...clientRules, ...rulesOfAnswers(rules)].map(toReportedRule)],
    },
    coverage: coverageItems(contract),
    isOperation: (name) => name.includes("/"),
    judge,
    checks: needed.checks,
    maskOf: (exchange) => maskOf(read(exchange)),
    toRecord: (exchange) => recordedAsJson(read(exchange), contract),
  };
}
