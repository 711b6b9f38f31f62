import type { RpcContract, RpcMethod } from "../../contract/rpc/contract.js";
import type { RpcNames } from "../../contract/rpc/names.js";
import type { Mask } from "../../judge/excerpt.js";
import type { RpcAnswer } from "../../judge/rpc/answer.js";
import { exchangeOf } from "../../judge/rpc/exchange-of.js";
import { secretTexts } from "../../judge/rpc/report-mask.js";
import { piecesOfUrl } from "../../judge/url-secrets.js";
import { toReportedRule } from "../../report/model/verify-report.js";
import type { CoverageCounter } from "../judge/coverage.js";
import type { TrafficContract } from "../judge/create-traffic-judge.js";
import type { JudgedSide } from "../judge/create-traffic-recorder.js";
import { type TrafficJudgement, trafficFindingOf } from "../judge/finding.js";
import { createRecentMask } from "../judge/recent-mask.js";
import type { RecordedExchange } from "../recorded/recorded-exchange.js";
import { countCall, coverageItems, createNeededFields } from "./call-coverage.js";
import type { RpcTrafficJudge, SeenCall } from "./define-traffic-judge.js";
import { judgeAnswer, rulesOfAnswers } from "./judge-answer.js";
import { judgeSeenCall } from "./judge-call.js";
import { createCallRouter, type ReadCall, readCall } from "./read-call.js";
import { describeCall, recordedAsJson } from "./show-call.js";
import { replyRules, trafficRules } from "./traffic-rules.js";

/** How many secrets are remembered. A later response may show those of an earlier request, so reports mask them as well. */
const maxSecrets = 10;

/** Describes the traffic between clients and a server, which `judges` judge as well. `names` are those of its services, if they differ from those of the contract. */
export function createRpcTraffic(
  contract: RpcContract,
  address: string,
  { names = {}, judges = [] }: { readonly names?: RpcNames; readonly judges?: readonly RpcTrafficJudge[] } = {},
): TrafficContract {
  const { name: contractName, version, rules, clientRules, registry, isSecret } = contract;
  const route = createCallRouter(contract, names);
  const needed = createNeededFields(contract);
  const recentMask = createRecentMask({ maxRemembered: maxSecrets, textsOf: piecesOfUrl });
  const inCode = judges.map((one) => one.judge(contract));
  const judgedInCode = new Set(judges.flatMap((one) => one.rules));
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
    const ofCall = judgeSeenCall(call);
    if (destination.kind === "unknown" && ofCall.findings.length === 0) return [];
    const describe = async () => [describeCall(call, { contract, address, names }, maskOf(call))];
    const client: JudgedSide = { party: "client", operation, ...ofCall, describe };
    if (destination.kind !== "rpc") return [client];
    const server = { party: "server", operation, describe } as const;
    if (request?.kind === "message") needed.observe(operation, request.json);
    if (exchange.malformed !== undefined) {
      const problem = `the response is not HTTP: ${exchange.malformed}`;
      const findings = [trafficFindingOf("server", replyRules.protocol, problem, "not HTTP")];
      return [client, { ...server, findings, shown: [replyRules.protocol.id] }];
    }
    if (request?.kind !== "message" || exchange.provoked !== undefined || answer === undefined) return [client];
    const ofAnswer = judgeAnswer(destination.method, { request, answer }, contract);
    const ofCode = "answer" in answer ? judgeInCode(call, destination.method, answer.answer) : [];
    const findings = [...ofAnswer.findings, ...ofCode.flatMap((one) => one.findings)];
    const shown = [...ofAnswer.shown, ...ofCode.flatMap((one) => one.shown)];
    return ofAnswer.unread === undefined ? [client, { ...server, findings, shown }] : [client];
  }

  function judgeInCode(call: ReadCall, method: RpcMethod, answer: RpcAnswer): TrafficJudgement[] {
    const { status, facts } = exchangeOf(method, answer);
    const texts = facts as SeenCall["texts"];
    const seen: SeenCall = { rpc: method.rpc, secrets: requestSecrets(call), status: String(status), texts };
    return inCode.map((judgeCode) => {
      const { broken, shown } = judgeCode(seen);
      const findings = broken.flatMap(({ rule: id, problem, subject }) => {
        const rule = rules.find((one) => one.id === id);
        return rule === undefined ? [] : [trafficFindingOf("server", rule, problem, subject)];
      });
      return { findings, shown };
    });
  }

  return {
    about: {
      contract: contractName,
      version,
      target: address,
      rules: [
        ...trafficRules,
        ...[
          ...clientRules,
          ...rules.filter(({ id }) => judgedInCode.has(id)),
          ...rulesOfAnswers(rules).filter(({ id }) => !judgedInCode.has(id)),
        ].map(toReportedRule),
      ],
    },
    coverage: coverageItems(contract),
    isOperation: (name) => name.includes("/"),
    judge,
    checks: needed.checks,
    maskOf: (exchange) => maskOf(read(exchange)),
    toRecord: (exchange) => recordedAsJson(read(exchange), contract),
  };
}
