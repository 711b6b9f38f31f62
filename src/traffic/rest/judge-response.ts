import { jsonExcess } from "../../base/parse-json.js";
import type { ResponseValidators } from "../../contract/rest/validator.js";
import { compareWithContract } from "../../judge/compare-with-contract.js";
import { departureOf } from "../../judge/departures.js";
import type { Mask } from "../../judge/excerpt.js";
import { type TrafficJudgement, type TrafficRule, trafficFindingOf, trafficRule } from "../judge/finding.js";
import { notKept, type ReadExchange } from "./exchange/decode-exchange.js";
import type { OperationsAtLevel } from "./exchange/operations-at-level.js";

/** The rule about responses of any operation. */
export const responseRule = trafficRule(
  "response.contract",
  "must",
  "A response has a status, content type, headers and a body that the contract documents for its operation.",
);

/** The recommendations about responses, which contracts with implied rules have. */
const departureRules = {
  statuses: trafficRule(
    "response.statuses",
    "should",
    "A refusal has a status that the contract documents for its operation.",
  ),
  failures: trafficRule("response.no-server-error", "should", "A response has no status from 500."),
} as const;

/** The rules about responses of the operations of a contract. */
export function responseRules({ operations }: Pick<OperationsAtLevel, "operations">): TrafficRule[] {
  const isImplied = [...operations.values()].some(({ implied }) => implied !== undefined);
  return [responseRule, ...(isImplied ? Object.values(departureRules) : [])];
}

const nothing: TrafficJudgement = { findings: [], shown: [] };

/** Judges the response of an exchange by the contract of the server's level, as far as one exchange shows it. */
export function judgeResponse(
  exchange: ReadExchange,
  operations: OperationsAtLevel,
  validators: ResponseValidators,
  mask: Mask,
): TrafficJudgement {
  const { operation, recorded, answerText } = exchange;
  const { contract } = operations;
  const { request, response, interruption, malformed, provoked } = recorded;
  const { id } = responseRule;
  if (operation !== undefined && malformed !== undefined) {
    const problem = mask(`the response is not HTTP: ${malformed}`);
    return { findings: [trafficFindingOf("server", responseRule, problem, "not HTTP")], shown: [id] };
  }
  if (operation === undefined || response === undefined || provoked !== undefined || interruption !== undefined)
    return nothing;
  // A response to HEAD has no body, and 304 means that the client has it already.
  if (request.method === "HEAD" || response.status === 304) return nothing;
  if (answerText === undefined) return { ...nothing, unread: notKept };
  const excess = jsonExcess(answerText);
  if (excess !== undefined) return { ...nothing, unread: excess };
  const { status, headers } = response;
  const judged = {
    status,
    contentType: headers["content-type"],
    headers: {
      has: (name: string) => Object.hasOwn(headers, name.toLowerCase()),
      get: (name: string) => headers[name.toLowerCase()] ?? null,
    },
    text: answerText,
    parsed: exchange.answer,
  };
  const problems = compareWithContract(contract, operation, judged, validators, mask);
  const isImplied = operations.operations.get(operation)?.implied !== undefined;
  const departure = isImplied ? departureOf(contract, operation, judged, validators) : undefined;
  const departs = departure?.rule === "statuses" || problems.length === 0;
  const found = (rule: TrafficRule, problem: string) =>
    trafficFindingOf("server", rule, `${status}: ${problem}`, `${status} ${subjectOf(problem)}`);
  return {
    findings: [
      ...problems.map(({ text }) => found(responseRule, text)),
      ...(departure === undefined || !departs ? [] : [found(departureRules[departure.rule], departure.problem)]),
    ],
    shown: [id, ...(isImplied ? Object.values(departureRules).map((rule) => rule.id) : [])],
  };
}

/** The place that a problem is about, without the indexes of lists, so that the same problem of other entries is the same finding. */
function subjectOf(problem: string): string {
  const [place = ""] = problem.split(":", 1);
  return place.replace(/\/\d+(?=\/|$)/g, "/*").slice(0, 80);
}
