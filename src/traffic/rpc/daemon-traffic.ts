import { contractVersions } from "../../base/versions.js";
import { loadDaemonContract } from "../../daemon/daemon-contract.js";
import { isSecretField } from "../../daemon/is-secret-field.js";
import { rpcNamesOf, type ServiceNames } from "../../daemon/service-names.js";
import type { Mask } from "../../verify/excerpt.js";
import { createMask } from "../../verify/mask.js";
import { toReportedRule } from "../../verify/model/verify-report.js";
import { piecesOfUrl, secretsOfUrl, secretValues } from "../../verify/rpc/url-parts.js";
import type { CoverageCounter } from "../judge/coverage.js";
import type { JudgedSide } from "../judge/create-traffic-recorder.js";
import { findingOf } from "../judge/finding.js";
import type { TrafficContract } from "../judge/traffic-contract.js";
import type { RecordedExchange } from "../recorded/recorded-exchange.js";
import { countCall, coverageItems } from "./count-call.js";
import { describeCall } from "./describe-call.js";
import { judgeAnswer, rulesOfAnswers } from "./judge-answer.js";
import { judgeCall } from "./judge-call.js";
import { createNeededFields } from "./needed-fields.js";
import { type ReadCall, readCall } from "./read-call.js";
import { recordedAsJson } from "./recorded-as-json.js";
import { createCallRouter } from "./route-call.js";
import { replyRules, trafficRules } from "./traffic-rules.js";

/** How many URLs are remembered. A later response may show secrets of an earlier URL, so reports mask those as well. */
const maxUrls = 10;

/** Describes the traffic between clients and a daemon. `names` are those of its services, if they differ from those of the contract. */
export async function createDaemonTraffic(address: string, names: ServiceNames = {}): Promise<TrafficContract> {
  const contract = await loadDaemonContract();
  const { rules, clientRules, cases } = contract;
  const route = createCallRouter(names);
  const needed = createNeededFields(cases);
  const urls = new Set<string>();
  /** The URLs of the most recent calls that failed. */
  const failed: string[] = [];
  let mask: Mask | undefined;
  let latest: ReadCall | undefined;

  /** Reads an exchange once, although it is masked, recorded and judged. */
  function read(exchange: RecordedExchange): ReadCall {
    if (latest?.recorded !== exchange) latest = readCall(exchange, route);
    return latest;
  }

  /** Remembers the URLs of a call, and returns a mask of the recent ones. */
  function maskOf(secrets: readonly string[]): Mask {
    for (const url of secrets) {
      // The latest URL is the last one.
      if (!urls.delete(url)) mask = undefined;
      urls.add(url);
    }
    for (const url of urls) {
      if (urls.size <= maxUrls) break;
      urls.delete(url);
    }
    mask ??= createMask([...urls].flatMap(piecesOfUrl));
    return mask;
  }

  async function judge(exchange: RecordedExchange, coverage: CoverageCounter): Promise<readonly JudgedSide[]> {
    const call = read(exchange);
    const { destination, request, answer } = call;
    countCall(call, coverage);
    if (destination.kind === "outside") return [];
    const operation = destination.kind === "rpc" ? destination.method.rpc : destination.name;
    const ofCall = judgeCall(call);
    if (destination.kind === "unknown" && ofCall.findings.length === 0) return [];
    const secrets = secretsOf(call);
    const describe = async () => [describeCall(call, { contract, address, names: rpcNamesOf(names) }, maskOf(secrets))];
    const client: JudgedSide = { party: "client", operation, ...ofCall, describe };
    if (destination.kind !== "rpc") return [client];
    const server = { party: "server", operation, describe } as const;
    if (request?.kind === "message") needed.observe(destination.method, request.message);
    if (exchange.malformed !== undefined) {
      const problem = `the response is not HTTP: ${exchange.malformed}`;
      const findings = [findingOf("server", replyRules.protocol, problem, "not HTTP")];
      return [client, { ...server, findings, shown: [replyRules.protocol.id] }];
    }
    if (request?.kind !== "message" || exchange.provoked !== undefined || answer === undefined) return [client];
    const ofAnswer = judgeAnswer(destination.method, { request, answer, earlier: failed.flatMap(secretsOfUrl) }, rules);
    if (answer.kind === "error") {
      failed.push(...secrets);
      failed.splice(0, failed.length - maxUrls);
    }
    return ofAnswer.unread === undefined ? [client, { ...server, ...ofAnswer }] : [client];
  }

  return {
    about: {
      contract: "daemon",
      version: contractVersions.daemon,
      target: address,
      rules: [...trafficRules, ...[...clientRules, ...rulesOfAnswers(rules)].map(toReportedRule)],
    },
    coverage: coverageItems(cases),
    isOperation: (name) => name.includes("/"),
    judge,
    checks: needed.checks,
    maskOf: (exchange) => maskOf(secretsOf(read(exchange))),
    toRecord: (exchange) => recordedAsJson(read(exchange)),
  };
}

/** The secret values of a request. */
function secretsOf({ destination, request }: ReadCall): string[] {
  if (destination.kind !== "rpc" || request?.kind !== "message") return [];
  return secretValues(destination.method.method.input, request.message, isSecretField);
}
