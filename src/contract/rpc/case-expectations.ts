import type { JsonObject } from "@bufbuild/protobuf";
import type { Expectation } from "../check.js";
import { literal, literals } from "../expressions.js";
import { pointerKeys, valueAt, valuesAt } from "../json-pointer.js";
import type { Matcher } from "../matcher.js";
import { neverEnds } from "../served-host.js";
import type { Evidence, RpcCase, RpcRule } from "./cases.js";
import { methodOf } from "./contract.js";
import {
  byCase,
  type EvidenceContract,
  earlierCalls,
  findShowableRules,
  hasFetchingHost,
  hasUrl,
  hostOf,
  isRecommended,
  mustSucceed,
  namedRules,
} from "./evidence.js";
import { defaultsAt, exampleOf, fullMessage, hasValue } from "./messages.js";

/**
 * What the contract says of the response to a case.
 *
 * A case with a reply fixes that the RPC exists and the values at its `exact` and `filled` pointers. Every case fixes that the response
 * follows the RPC protocol. Unless it is `open`, it also fixes whether the call succeeds, and the code of its error. `broken` of a rule says
 * which replies contradict themselves.
 */
export function expectationsOf(one: RpcCase, contract: EvidenceContract): Expectation[] {
  const { rules } = contract;
  const isRecommendation = (id: string) => rules.some((rule) => rule.id === id && rule.strength === "should");
  const all = [
    ...statusExpectations(one, contract),
    ...valueExpectations(one, contract),
    ...replyExpectations(one, contract),
  ];
  return [
    ...all.flatMap((about): Expectation[] => {
      const { rules = [] } = about;
      if (rules.length === 0) return [];
      return [rules.every(isRecommendation) ? { ...about, excusable: true } : about];
    }),
    ...evidenceExpectations(one, contract),
  ];
}

function statusExpectations(one: RpcCase, contract: EvidenceContract): Expectation[] {
  const { rules } = contract;
  return [
    {
      rules: rules
        .filter(({ rpc, broken }) => broken?.malformed === true && (rpc === undefined || rpc === one.rpc))
        .map(({ id }) => id),
      status: { not: "malformed" },
    },
    {
      // It says nothing of a protocol that all RPCs share.
      rules: rules.filter(({ rpc, broken }) => broken?.malformed === true && rpc === one.rpc).map(({ id }) => id),
      status: { not: "too-large" },
    },
    {
      rules: rulesOfPresence(one, contract),
      status: { not: "unimplemented" },
      note: "--package and --service name services that have other names",
    },
    {
      rules: rulesOfOutcome(one, rules),
      // Without a response, it depends on the server as a whole who is to blame.
      on: { not: { any: ["malformed", "too-large", "unreachable", ...(waitsForLimit(one) ? [] : ["timeout"])] } },
      status: one.error?.code === "any" ? errors : (one.error?.code ?? "ok"),
    },
  ];
}

/** The rules of a case that fix whether its call succeeds. */
function rulesOfOutcome(one: RpcCase, rules: readonly RpcRule[]): readonly string[] {
  const isOutcome = one.reply !== undefined || one.error !== undefined;
  if (!isOutcome || one.open !== undefined) return [];
  if (isRecommended(one, rules)) return [one.rule];
  return orMain(
    one,
    namedIds(one, rules, ({ layer }) => layer === undefined),
  );
}

/** The rules that a call of a case breaks if it gets no response: the one about the responses of the RPC, or else what the case fixes. */
export function rulesWithoutResponse(one: RpcCase, rpc: string, { rules }: EvidenceContract): readonly string[] {
  const implied = rules.filter((rule) => rule.broken?.malformed === true && rule.rpc === rpc).map(({ id }) => id);
  if (implied.length > 0 || rpc !== one.rpc) return implied;
  return rulesOfOutcome(one, rules);
}

/** Whether the server must end the wait for the host of a case by a limit of its own. */
export function waitsForLimit(one: RpcCase): boolean {
  const host = hostOf(one);
  return host !== undefined && neverEnds(host);
}

/** The rules that a case shows broken if the server says that it does not implement the RPC. */
function rulesOfPresence(one: RpcCase, { rules }: EvidenceContract): string[] {
  if (one.reply !== undefined) return namedIds(one, rules, ({ layer }) => layer === "service");
  // A server may reject an unsupported URL in this way.
  if (hasUrl(one.request)) return [];
  const [service] = one.rpc.split("/");
  return rules.filter(({ broken }) => broken?.unimplemented === service).map(({ id }) => id);
}

/** What a case fixes of the reply, and of the requests to its host. */
function valueExpectations(one: RpcCase, contract: EvidenceContract): Expectation[] {
  const { exact = [], expect = {}, bind = {} } = one;
  const example = fullReply(one, contract);
  const exactly = (at: string): Matcher => {
    const source = bind[pointerKeys(at).join(".")];
    if (source !== undefined) return `$${source}`;
    return { equals: literals(at.includes("*") ? valuesAt(example, at) : valueAt(example, at)) };
  };
  const matchers = [...exact.map((at) => [at, exactly(at)] as const), ...Object.entries(expect)];
  return matchers.map(([at, matcher]) => ({
    rules: [ruleOfField(one, at, contract.rules)],
    on: one.error === undefined ? "ok" : errors,
    body: { [at]: matcher },
  }));
}

/** Matches a value at a pointer into a reply that is missing, or the default of its type. */
function emptyAt(one: RpcCase, at: string, contract: EvidenceContract): Matcher {
  const defaults = defaultsAt(methodOf(contract, one.rpc).output, at);
  return { any: [{ present: false }, 0, "", false, { count: 0 }, ...defaults.map(literal)] };
}

/** The example reply of a case, or an empty one, with its default values. */
function fullReply({ rpc, reply }: RpcCase, contract: EvidenceContract): JsonObject {
  const { output } = methodOf(contract, rpc);
  return fullMessage(output, reply ?? exampleOf(output), contract.registry);
}

/** What rules fix of every reply. A recommendation does so in cases that name it; a field at another number shows if the example has it. */
export function replyExpectations(one: RpcCase, contract: EvidenceContract): Expectation[] {
  const { rules } = contract;
  const { output } = methodOf(contract, one.rpc);
  const named = namedIds(one, rules, () => true);
  const example = one.reply && fullReply(one, contract);
  return rules
    .filter(({ rpc }) => rpc === one.rpc)
    .flatMap(({ id, strength, expect, broken: { misplaced } = {} }) => {
      const stated = (body: Readonly<Record<string, Matcher>>): Expectation => ({ rules: [id], on: "ok", body });
      const isMoved = misplaced !== undefined && example !== undefined && hasValue(output, example, misplaced);
      return [
        ...(isMoved ? [stated({ "$exchange.moved": { not: { includes: misplaced } } })] : []),
        ...(expect === undefined || (strength === "should" && !named.includes(id)) ? [] : [stated(expect)]),
      ];
    });
}

const errors: Matcher = { not: "ok" };

/**
 * What a server answers only after it has read the request. Source: https://grpc.io/docs/guides/status-codes/; the other codes may also come
 * from a proxy, a library, or a check of who calls.
 */
const readingCodes: readonly string[] = [
  ...["ok", "invalid_argument", "not_found", "already_exists"],
  ...["failed_precondition", "aborted", "out_of_range"],
];

/** What the response must hold to show each rule: a value that a faulty server could have got wrong. */
function evidenceExpectations(one: RpcCase, contract: EvidenceContract): Expectation[] {
  const showable = findShowableRules(one, contract);
  return namedRules(one, contract.rules)
    .filter(({ id }) => showable.includes(id))
    .flatMap(({ id, shown = byCase }) => {
      const shownBy = evidenceOf(one, shown, contract);
      return shownBy.length === 0 ? [] : [{ rules: [id], shownBy }];
    });
}

function evidenceOf(one: RpcCase, evidence: Evidence, contract: EvidenceContract): NonNullable<Expectation["shownBy"]> {
  const reply = { status: "ok", otherwise: "the call got no reply" };
  const hasFetched = (place: string) => ({
    body: { [place]: { above: 0 } },
    otherwise: "the server answered without fetching the URL",
  });
  const couldFetch = one.reply !== undefined && hasUrl(one.request) && hasFetchingHost(one);
  const fetched = couldFetch ? [hasFetched("$host.count")] : [];
  switch (evidence.by) {
    case "case":
      return fetched;
    case "reply":
      return [reply];
    case "response":
      return [{ status: { any: readingCodes }, otherwise: "the response says nothing about the request" }];
    case "fetch":
      return [reply, { ...hasFetched("$host.requests"), body: { "$host.requests": { not: { count: 0 } } } }];
    case "value":
    case "echo": {
      const values = evidence.at.map((at) => ({
        body: {
          [at]: { not: at.includes("*") ? { every: emptyAt(one, at, contract) } : emptyAt(one, at, contract) },
        },
        otherwise: `the reply has no ${at}`,
      }));
      const echoes = evidence.by === "echo" ? evidence.at.map((at) => echoOf(one, at, contract)) : [];
      return [reply, ...fetched, ...values, ...echoes];
    }
    case "check":
    case "descriptor":
      return [];
  }
}

/** Matches a value that equals that of the request, and differs from an earlier reply, so that it is not constant. */
function echoOf(one: RpcCase, at: string, contract: EvidenceContract): NonNullable<Expectation["shownBy"]>[number] {
  const { request, bind = {} } = one;
  const field = at.slice(1);
  const sent = bind[field] === undefined ? literals(request[field] ?? null) : `$${bind[field]}`;
  const others = earlierCalls(one)
    .filter((earlier) => {
      const isRepeated = methodOf(contract, earlier.call).output.fields.some(({ jsonName }) => jsonName === field);
      return !earlier.overlaps && mustSucceed(earlier) && isRepeated;
    })
    .map(({ id }): Matcher => ({ not: `$${id}.${field}` }));
  return {
    body: { [at]: { all: [sent as Matcher, { any: others }] } },
    otherwise: `${at} of the replies does not change with that of the requests`,
  };
}

/**
 * The rule that a wrong value of a field breaks: one that the case names, or else its main rule. If the requirements state that one, the
 * value is left to the recommendations of the RPC.
 */
function ruleOfField(one: RpcCase, pointer: string, rules: readonly RpcRule[]): string {
  const isAbout = ({ rpc, broken: { wrong = [] } = {} }: RpcRule) =>
    rpc === one.rpc && [wrong].flat().some((field) => pointer === field || pointer.startsWith(`${field}/`));
  const [id] = namedIds(one, rules, isAbout);
  return id ?? (isRecommended(one, rules) ? one.rule : (rules.find(isAbout)?.id ?? one.rule));
}

/** The ids of the rules that a case names and that pass a test, in the order in which it names them. */
function namedIds({ rule, also = [] }: RpcCase, rules: readonly RpcRule[], test: (rule: RpcRule) => boolean): string[] {
  return [rule, ...also].filter((id) => rules.some((one) => one.id === id && test(one)));
}

function orMain({ rule }: RpcCase, rules: string[]): string[] {
  return rules.length === 0 ? [rule] : rules;
}
