import { isDeepStrictEqual } from "node:util";
import { createRegistry, type JsonObject } from "@bufbuild/protobuf";
import { valuesAt } from "../../contract/json-pointer.js";
import type { RpcRule } from "../../contract/rpc/cases.js";
import { fullJson } from "../../contract/rpc/messages.js";
import type { DaemonMethod } from "../../daemon/daemon-methods.js";
import { isSecretField } from "../../daemon/is-secret-field.js";
import { contradictionsIn } from "../../verify/rpc/contradictions.js";
import { secretsOfUrl, secretValues, type UrlSecret } from "../../verify/rpc/url-parts.js";
import type { Finding } from "../judge/finding.js";
import { findingOf } from "../judge/finding.js";
import type { DecodedMessage } from "./decode-message.js";
import { findLaterLeaks, findLeaks, laterRules, leakRules, rulesOfSilence } from "./find-leaks.js";
import type { CallJudgement } from "./judge-call.js";
import type { ReadAnswer } from "./read-answer.js";
import { replyRules } from "./traffic-rules.js";

/** The rules of daemons that a single exchange can break. */
export function rulesOfAnswers(rules: readonly RpcRule[]): RpcRule[] {
  const others = rules.filter(
    (rule) => isAboutNumbers(rule) || isEcho(rule) || rule.broken?.unimplemented !== undefined,
  );
  return [...leakRules(rules), ...laterRules(rules), ...others];
}

/** A call, its response, and the secrets of earlier URLs. */
export interface AnsweredCall {
  readonly request: DecodedMessage;
  readonly answer: ReadAnswer;
  /** The secrets in the URLs of recent calls that failed. */
  readonly earlier: readonly UrlSecret[];
}

/** Judges the response to a call to an RPC of the contract, as far as it and the URLs of earlier calls show it. */
export function judgeAnswer(
  { rpc, method }: DaemonMethod,
  { request, answer, earlier }: AnsweredCall,
  rules: readonly RpcRule[],
): CallJudgement {
  const secrets = secretValues(method.input, request.message, isSecretField).flatMap(secretsOfUrl);
  const others = earlier.filter((one) => !secrets.some(({ secret }) => secret.includes(one.secret)));
  const { protocol, message, unknownField } = replyRules;
  switch (answer.kind) {
    case "unread":
      return { findings: [], shown: [], unread: answer.reason };
    case "fault":
      return answer.at === "protocol"
        ? { findings: [findingOf("server", protocol, answer.problem)], shown: [] }
        : { findings: [findingOf("server", message, answer.problem)], shown: [protocol.id] };
    case "error": {
      const missing =
        answer.answer.code === "unimplemented" && secrets.length === 0
          ? rules.filter(({ broken }) => broken?.unimplemented === method.parent.name)
          : [];
      return {
        findings: [
          ...missing.map((rule) =>
            findingOf("server", rule, "expected that the daemon has the RPC, got unimplemented"),
          ),
          ...findLeaks(answer.answer, secrets, rules),
          ...findLaterLeaks(answer.answer, others, rules),
        ],
        shown: [
          protocol.id,
          ...rulesOfSilence(secrets, rules),
          ...(others.length === 0 ? [] : laterRules(rules).map(({ id }) => id)),
        ],
      };
    }
    case "reply": {
      const { decoded } = answer;
      const sent = fullJson(method.input, request.message);
      const ofRpc = rules.filter((rule) => rule.rpc === rpc);
      const also = ofRpc.map(({ id }) => id);
      const call = { name: "", summary: "", rule: "", also, rpc, request: sent };
      const contradictions = contradictionsIn(call, answer.answer, {
        ...{ rules: ofRpc.filter(isAboutNumbers), methods: [{ rpc, method }] },
        registry: createRegistry(),
      });
      const present = rules.filter(({ broken }) => broken?.unimplemented === method.parent.name);
      const echoes = ofRpc.filter(isEcho);
      return {
        findings: [
          ...decoded.unknown.map(({ name, parent }) =>
            findingOf("server", unknownField, `${parent} has no field ${name}`, name),
          ),
          ...contradictions.flatMap(({ rules: [id], text }) =>
            ofRpc.filter((rule) => rule.id === id).map((rule) => findingOf("server", rule, text)),
          ),
          ...echoes.flatMap((rule) => echoProblems(rule, sent, answer.answer.reply)),
          ...findLeaks(answer.answer, secrets, rules),
        ],
        shown: [
          ...[protocol, message, unknownField].map(({ id }) => id),
          ...[...ofRpc.filter(isAboutNumbers), ...echoes, ...present].map(({ id }) => id),
        ],
      };
    }
  }
}

function isAboutNumbers({ expect }: RpcRule): boolean {
  return expect !== undefined;
}

/** Whether a rule fixes that values of the reply repeat those of the request. */
function isEcho({ shown, broken, rpc }: RpcRule): boolean {
  return rpc !== undefined && shown?.by === "echo" && broken?.wrong !== undefined;
}

function echoProblems(rule: RpcRule, sent: JsonObject, reply: JsonObject): Finding[] {
  if (rule.shown === undefined || !("at" in rule.shown)) return [];
  return rule.shown.at.flatMap((at) => {
    const [wanted, got] = [valuesAt(sent, at), valuesAt(reply, at)];
    if (isDeepStrictEqual(wanted, got)) return [];
    return [findingOf("server", rule, `${at}: expected ${wanted.join(", ")} of the request, got ${got.join(", ")}`)];
  });
}
