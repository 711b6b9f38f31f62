import type { Claim } from "../../contract/check.js";
import { literal } from "../../contract/expressions.js";
import { valueAt, valuesAt } from "../../contract/json-pointer.js";
import type { Matcher } from "../../contract/matcher.js";
import type { DaemonCase, DaemonRule, Evidence, Surface } from "../../contract/rpc/cases.js";
import { earlierCalls, hasFetchingHost, hasValue, isRecommended, namedRules } from "../../contract/rpc/evidence.js";
import { fullReply } from "./create-call.js";
import { showableRules } from "./showable-rules.js";

/**
 * What the contract says of the response to a case.
 *
 * A case with a reply fixes that the RPC exists and the values at its `exact` and `filled` pointers. Every case fixes that the response
 * follows the RPC protocol and shows none of its `secrets`. The contract fixes neither code nor message of an error, nor whether the lists
 * of a preview are complete. A case whose rule is a recommendation also fixes whether the call succeeds, the code of its error, and what
 * the host gets. `broken` of a rule says which replies contradict themselves.
 */
export function claimsOf(one: DaemonCase, rules: readonly DaemonRule[]): Claim[] {
  const isRecommendation = (id: string) => rules.some((rule) => rule.id === id && rule.strength === "should");
  const claims = [
    ...statusClaims(one, rules),
    ...valueClaims(one, rules),
    ...replyClaims(one, rules),
    ...leakClaims(one, rules),
  ].filter((claim) => claim.rules.length > 0);
  return [
    ...claims.map((claim): Claim => {
      const isExcusable = one.secrets === undefined && claim.rules.every(isRecommendation);
      return isExcusable ? { ...claim, excusable: true } : claim;
    }),
    ...evidenceClaims(one, rules),
  ];
}

/** The rules of a case that a secret on a surface breaks. If there are none, the main rule of the case. */
export function rulesOfLeak(one: DaemonCase, surface: Surface, rules: readonly DaemonRule[]): string[] {
  const isAbout = ({ broken }: DaemonRule) => broken?.leak === undefined || broken.leak.includes(surface);
  return orMain(one, namedIds(one, rules, isAbout));
}

function statusClaims(one: DaemonCase, rules: readonly DaemonRule[]): Claim[] {
  // A recommended case with secrets allows any kind of response, and only looks for the secrets in it.
  const isFixed = isRecommended(one, rules)
    ? one.secrets === undefined
    : one.reply !== undefined && one.open === undefined;
  const about = namedIds(one, rules, ({ layer }) => layer === undefined);
  return [
    {
      rules: rules.filter(({ broken }) => broken?.malformed === true).map(({ id }) => id),
      expect: { status: { not: "malformed" } },
    },
    {
      rules: rulesOfPresence(one, rules),
      expect: { status: { not: "unimplemented" } },
      note: "--package and --mesh-service name services that have other names",
    },
    {
      rules: !isFixed ? [] : isRecommended(one, rules) ? [one.rule] : orMain(one, about),
      on: { not: { any: ["malformed", "unreachable"] } },
      expect: { status: one.error?.code ?? "ok" },
    },
  ];
}

/** The rules that a case shows broken if the daemon says that it does not implement the RPC. */
function rulesOfPresence(one: DaemonCase, rules: readonly DaemonRule[]): string[] {
  if (one.reply !== undefined) return namedIds(one, rules, ({ layer }) => layer === "service");
  // A daemon may reject an unsupported URL in this way.
  if (one.request.url !== undefined) return [];
  const [service] = one.rpc.split("/");
  return rules.filter(({ broken }) => broken?.unimplemented === service).map(({ id }) => id);
}

/** What a case fixes of the reply, and of the requests to its host. */
function valueClaims(one: DaemonCase, rules: readonly DaemonRule[]): Claim[] {
  const { exact = [], expect = {}, bind = {} } = one;
  const example = fullReply(one.rpc, one.reply ?? {});
  const exactly = (at: string): Matcher => {
    const source = bind[at.slice(1)];
    if (source !== undefined) return `$${source}`;
    return { equals: literals(at.includes("*") ? valuesAt(example, at) : valueAt(example, at)) };
  };
  const matchers = [...exact.map((at) => [at, exactly(at)] as const), ...Object.entries(expect)];
  return matchers.map(([at, matcher]) => ({
    rules: [ruleOfField(one, at, rules)],
    on: one.error === undefined ? "ok" : errors,
    expect: { body: { [at]: matcher } },
  }));
}

/** Matches a value that is missing, or the default of its type. */
const empty: Matcher = { any: [{ present: false }, 0, "", false, { count: 0 }] };
const filled: Matcher = { not: empty };

/** What rules fix of every reply. A recommendation does so in cases that name it; a field at another number shows if the example has it. */
export function replyClaims(one: DaemonCase, rules: readonly DaemonRule[]): Claim[] {
  const named = namedIds(one, rules, () => true);
  const example = one.reply && fullReply(one.rpc, one.reply);
  return rules
    .filter(({ rpc }) => rpc === one.rpc)
    .flatMap(({ id, strength, expect, broken: { misplaced } = {} }) => {
      const claim = (body: Readonly<Record<string, Matcher>>): Claim => ({ rules: [id], on: "ok", expect: { body } });
      const isMoved = misplaced !== undefined && example !== undefined && hasValue(example, misplaced);
      return [
        ...(isMoved ? [claim({ "$exchange.moved": { not: { includes: misplaced } } })] : []),
        ...(expect === undefined || (strength === "should" && !named.includes(id)) ? [] : [claim(expect)]),
      ];
    });
}

function leakClaims(one: DaemonCase, rules: readonly DaemonRule[]): Claim[] {
  const { secrets } = one;
  if (secrets === undefined) return [];
  const surfaces = ["message", "details", "metadata", "reply"] as const;
  return surfaces.map((surface) => ({
    rules: rulesOfLeak(one, surface, rules),
    expect: { body: { [`$exchange.${surface}`]: { every: { hides: secrets } } } },
  }));
}

const errors: Matcher = { not: "ok" };

/** What the response must hold to show each rule: a value that a faulty daemon could have got wrong. */
function evidenceClaims(one: DaemonCase, rules: readonly DaemonRule[]): Claim[] {
  const showable = showableRules(one, rules);
  return namedRules(one, rules)
    .filter(({ id }) => showable.includes(id))
    .flatMap(({ id, shown }) => {
      const shownBy = shown === undefined ? [] : evidenceOf(one, shown);
      return shownBy.length === 0 ? [] : [{ rules: [id], shownBy }];
    });
}

function evidenceOf(one: DaemonCase, evidence: Evidence): NonNullable<Claim["shownBy"]> {
  const reply = { expect: { status: "ok" }, otherwise: "the call got no reply" };
  const hasFetched = (place: string) => ({
    expect: { body: { [place]: { above: 0 } } },
    otherwise: "the daemon answered without fetching the URL",
  });
  const couldFetch = one.reply !== undefined && one.request.url !== undefined && hasFetchingHost(one);
  const fetched = couldFetch ? [hasFetched("$host.count")] : [];
  switch (evidence.by) {
    case "case":
      return fetched;
    case "error":
      return [{ expect: { status: errors }, otherwise: "fetching caused no error" }];
    case "reply":
      return [reply];
    case "fetch":
      return [
        reply,
        { ...hasFetched("$host.requests"), expect: { body: { "$host.requests": { not: { count: 0 } } } } },
      ];
    case "value":
    case "echo": {
      const values = evidence.at.map((at) => ({
        expect: { body: { [at]: at.includes("*") ? { not: { every: empty } } : filled } },
        otherwise: `the reply has no ${at}`,
      }));
      const echoes = evidence.by === "echo" ? evidence.at.map((at) => echoOf(one, at)) : [];
      return [reply, ...fetched, ...values, ...echoes];
    }
    case "log":
    case "descriptor":
      return [];
  }
}

/** Matches a value that equals that of the request, and differs from an earlier reply, so that it is not constant. */
function echoOf(one: DaemonCase, at: string): NonNullable<Claim["shownBy"]>[number] {
  const { request, bind = {} } = one;
  const field = at.slice(1);
  const sent = bind[field] === undefined ? literals(request[field] ?? null) : `$${bind[field]}`;
  const others = earlierCalls(one)
    .filter(
      ({ call, expect, overlaps }) => !overlaps && expect === undefined && Object.hasOwn(fullReply(call, {}), field),
    )
    .map(({ id }): Matcher => ({ not: `$${id}.${field}` }));
  return {
    expect: { body: { [at]: { all: [sent as Matcher, { any: others }] } } },
    otherwise: `${at} of the replies does not change with that of the requests`,
  };
}

/**
 * The rule that a wrong value of a field breaks: one that the case names, or else its main rule. If the requirements state that one, the
 * value is left to the recommendations of the RPC.
 */
function ruleOfField(one: DaemonCase, pointer: string, rules: readonly DaemonRule[]): string {
  const isAbout = ({ rpc, broken: { wrong = [] } = {} }: DaemonRule) =>
    rpc === one.rpc && [wrong].flat().some((field) => pointer === field || pointer.startsWith(`${field}/`));
  const [id] = namedIds(one, rules, isAbout);
  return id ?? (isRecommended(one, rules) ? one.rule : (rules.find(isAbout)?.id ?? one.rule));
}

/** The ids of the rules that a case names and that pass a test, in the order in which it names them. */
function namedIds(
  { rule, also = [] }: DaemonCase,
  rules: readonly DaemonRule[],
  test: (rule: DaemonRule) => boolean,
): string[] {
  return [rule, ...also].filter((id) => rules.some((one) => one.id === id && test(one)));
}

function orMain({ rule }: DaemonCase, rules: string[]): string[] {
  return rules.length === 0 ? [rule] : rules;
}

/** Writes all texts in a value so that they are taken literally. */
function literals<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) => (typeof inner === "string" ? literal(inner) : inner));
}
