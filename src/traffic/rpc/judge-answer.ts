import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@bufbuild/protobuf";
import { valuesAt } from "../../contract/json-pointer.js";
import { replyExpectations } from "../../contract/rpc/case-expectations.js";
import type { RpcRule } from "../../contract/rpc/cases.js";
import type { RpcContract, RpcMethod } from "../../contract/rpc/contract.js";
import { hasUrl } from "../../contract/rpc/evidence.js";
import { judgeExpectations } from "../../judge/judge-expectations.js";
import { exchangeOf } from "../../judge/rpc/exchange-of.js";
import { type TrafficFinding, type TrafficJudgement, trafficFindingOf } from "../judge/finding.js";
import type { DecodedMessage } from "./decode-message.js";
import type { ReadAnswer } from "./read-answer.js";
import { replyRules } from "./traffic-rules.js";

/** The rules of servers that a single exchange can break. */
export function rulesOfAnswers(rules: readonly RpcRule[]): RpcRule[] {
  return rules.filter((rule) => isStating(rule) || isEcho(rule) || rule.broken?.unimplemented !== undefined);
}

/** A call and its response. */
export interface AnsweredCall {
  readonly request: DecodedMessage;
  readonly answer: ReadAnswer;
}

/** Judges the response to a call to an RPC of the contract. */
export function judgeAnswer(
  one: RpcMethod,
  { request, answer }: AnsweredCall,
  contract: RpcContract,
): TrafficJudgement {
  const { rpc, method } = one;
  const { rules } = contract;
  const { protocol, message, unknownField } = replyRules;
  switch (answer.kind) {
    case "unread":
      return { findings: [], shown: [], unread: answer.reason };
    case "fault":
      return answer.at === "protocol"
        ? { findings: [trafficFindingOf("server", protocol, answer.problem)], shown: [] }
        : { findings: [trafficFindingOf("server", message, answer.problem)], shown: [protocol.id] };
    case "error": {
      const missing =
        answer.answer.code === "unimplemented" && !hasUrl(request.json)
          ? rules.filter(({ broken }) => broken?.unimplemented === method.parent.name)
          : [];
      return {
        findings: [
          ...missing.map((rule) =>
            trafficFindingOf("server", rule, "expected that the server has the RPC, got unimplemented"),
          ),
        ],
        shown: [protocol.id],
      };
    }
    case "reply": {
      const { decoded } = answer;
      const ofRpc = rules.filter((rule) => rule.rpc === rpc);
      const stating = ofRpc.filter(isStating);
      const call = { name: "", summary: "", rule: "", also: stating.map(({ id }) => id), rpc, request: request.json };
      const expectations = replyExpectations(call, { ...contract, rules: stating });
      const { unmet } = judgeExpectations(expectations, exchangeOf(one, answer.answer), () => undefined, String);
      const present = rules.filter(({ broken }) => broken?.unimplemented === method.parent.name);
      const echoes = ofRpc.filter(isEcho);
      return {
        findings: [
          ...decoded.unknown.map(({ name, parent }) =>
            trafficFindingOf("server", unknownField, `${parent} has no field ${name}`, name),
          ),
          ...unmet.flatMap(({ expectation, problems }) =>
            stating
              .filter(({ id }) => expectation.rules?.includes(id))
              .flatMap((rule) => problems.map((problem) => trafficFindingOf("server", rule, problem))),
          ),
          ...echoes.flatMap((rule) => echoProblems(rule, request.json, answer.answer.reply)),
        ],
        shown: [
          ...[protocol, message, unknownField].map(({ id }) => id),
          ...[...stating, ...echoes, ...present].map(({ id }) => id),
        ],
      };
    }
  }
}

function isStating({ expect }: RpcRule): boolean {
  return expect !== undefined;
}

/** Whether a rule fixes that values of the reply repeat those of the request. */
function isEcho({ shown, broken, rpc }: RpcRule): boolean {
  return rpc !== undefined && shown?.by === "echo" && broken?.wrong !== undefined;
}

function echoProblems(rule: RpcRule, sent: JsonObject, reply: JsonObject): TrafficFinding[] {
  if (rule.shown === undefined || !("at" in rule.shown)) return [];
  return rule.shown.at.flatMap((at) => {
    const [wanted, got] = [valuesAt(sent, at), valuesAt(reply, at)];
    if (isDeepStrictEqual(wanted, got)) return [];
    return [
      trafficFindingOf("server", rule, `${at}: expected ${wanted.join(", ")} of the request, got ${got.join(", ")}`),
    ];
  });
}
