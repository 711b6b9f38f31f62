import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@bufbuild/protobuf";
import { valuesAt } from "../../contract/json-pointer.js";
import type { RpcRule, Surface, UrlPart } from "../../contract/rpc/cases.js";
import type { RpcContract, RpcMethod } from "../../contract/rpc/contract.js";
import { createSecretFinder } from "../../secrets/find-secrets.js";
import type { Answer } from "../../verify/rpc/answer.js";
import { replyClaims } from "../../verify/rpc/case-claims.js";
import { exchangeOf } from "../../verify/rpc/exchange-of.js";
import { readableTexts } from "../../verify/rpc/readable-texts.js";
import { secretTexts } from "../../verify/rpc/report-mask.js";
import { secretsOfUrl, type UrlSecret } from "../../verify/rpc/url-parts.js";
import { judgeClaims } from "../../verify/run/judge-claims.js";
import { type Finding, findingOf, type Judgement } from "../judge/finding.js";
import type { DecodedMessage } from "./decode-message.js";
import type { ReadAnswer } from "./read-answer.js";
import { replyRules } from "./traffic-rules.js";

/** The rules of servers that a single exchange can break. */
export function rulesOfAnswers(rules: readonly RpcRule[]): RpcRule[] {
  const others = rules.filter((rule) => isStating(rule) || isEcho(rule) || rule.broken?.unimplemented !== undefined);
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
  one: RpcMethod,
  { request, answer, earlier }: AnsweredCall,
  contract: RpcContract,
): Judgement {
  const { rpc, method } = one;
  const { rules, isSecret } = contract;
  const secrets = secretTexts(method.input, request.json, isSecret).flatMap(secretsOfUrl);
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
            findingOf("server", rule, "expected that the server has the RPC, got unimplemented"),
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
      const ofRpc = rules.filter((rule) => rule.rpc === rpc);
      const stating = ofRpc.filter(isStating);
      const call = { name: "", summary: "", rule: "", also: stating.map(({ id }) => id), rpc, request: request.json };
      const claims = replyClaims(call, { ...contract, rules: stating });
      const { broken } = judgeClaims(claims, exchangeOf(one, answer.answer), () => undefined, String);
      const present = rules.filter(({ broken }) => broken?.unimplemented === method.parent.name);
      const echoes = ofRpc.filter(isEcho);
      return {
        findings: [
          ...decoded.unknown.map(({ name, parent }) =>
            findingOf("server", unknownField, `${parent} has no field ${name}`, name),
          ),
          ...broken.flatMap(({ claim, problem }) =>
            stating.filter(({ id }) => claim.rules.includes(id)).map((rule) => findingOf("server", rule, problem)),
          ),
          ...echoes.flatMap((rule) => echoProblems(rule, request.json, answer.answer.reply)),
          ...findLeaks(answer.answer, secrets, rules),
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

function echoProblems(rule: RpcRule, sent: JsonObject, reply: JsonObject): Finding[] {
  if (rule.shown === undefined || !("at" in rule.shown)) return [];
  return rule.shown.at.flatMap((at) => {
    const [wanted, got] = [valuesAt(sent, at), valuesAt(reply, at)];
    if (isDeepStrictEqual(wanted, got)) return [];
    return [findingOf("server", rule, `${at}: expected ${wanted.join(", ")} of the request, got ${got.join(", ")}`)];
  });
}

/** The rules about secrets that a single response can break. */
function leakRules(rules: readonly RpcRule[]): RpcRule[] {
  return rules.filter(
    ({ broken: { leak = [], part } = {}, untestable }) =>
      untestable === undefined && (isAboutOneSurface(leak) || part !== undefined),
  );
}

/** Searches everything in a response that the caller can read for secrets of the request's URL. */
export function findLeaks(answer: Answer, secrets: readonly UrlSecret[], rules: readonly RpcRule[]): Finding[] {
  if (secrets.length === 0 || leakRules(rules).length === 0) return [];
  const find = createSecretFinder(secrets.map(({ secret }) => secret));
  return readableTexts(answer).flatMap(({ surface, place, texts }): Finding[] => {
    const shown = new Set(texts.flatMap(find));
    if (shown.size === 0) return [];
    const parts = secrets.filter(({ secret }) => shown.has(secret)).map(({ part }) => part);
    const problem = `${place} shows a secret of the URL`;
    const rule = ruleOfLeak(surface, parts, rules);
    return rule === undefined ? [] : [findingOf("server", rule, problem, surface)];
  });
}

/** The rules about secrets of a URL in later calls. */
function laterRules(rules: readonly RpcRule[]): RpcRule[] {
  return rules.filter(({ broken }) => broken?.later === true);
}

/** Searches a response for secrets of the URLs of earlier calls. */
function findLaterLeaks(answer: Answer, secrets: readonly UrlSecret[], rules: readonly RpcRule[]): Finding[] {
  const later = laterRules(rules);
  if (later.length === 0) return [];
  return findLeaks(answer, secrets, rules).flatMap(({ subject = "", problem }) =>
    later.map((rule) =>
      findingOf("server", rule, problem.replace("of the URL", "of the URL of an earlier call, which failed"), subject),
    ),
  );
}

/** The rules that an error shows kept if it shows none of the secrets. */
function rulesOfSilence(secrets: readonly UrlSecret[], rules: readonly RpcRule[]): string[] {
  const parts = new Set(secrets.map(({ part }) => part));
  if (parts.size === 0) return [];
  return leakRules(rules)
    .filter(({ shown, broken: { part } = {} }) => shown?.by === "error" && (part === undefined || parts.has(part)))
    .map(({ id }) => id);
}

/**
 * The rule that a leak breaks: that of the surface. If the surface or every part is secret only by a recommendation, the rule of that
 * recommendation.
 */
function ruleOfLeak(surface: Surface, parts: readonly UrlPart[], all: readonly RpcRule[]): RpcRule | undefined {
  const rules = leakRules(all);
  const ofSurface = rules.find(({ broken: { leak = [] } = {} }) => isAboutOneSurface(leak) && leak[0] === surface);
  const ofParts = rules.filter(({ broken: { part } = {} }) => part !== undefined && parts.includes(part));
  const isStated = ofParts.some(({ strength }) => strength !== "should");
  const recommended = [ofSurface, ...(isStated ? [] : ofParts)].find((rule) => rule?.strength === "should");
  return recommended ?? ofSurface;
}

function isAboutOneSurface(leak: readonly Surface[]): boolean {
  return leak.length === 1 && leak[0] !== "logs";
}
