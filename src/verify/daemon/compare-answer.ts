import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@bufbuild/protobuf";
import type { DaemonCase, DaemonRule, Surface } from "../../contract/daemon/cases.js";
import { isRecommended, isSet, valuesAt } from "../../contract/daemon/evidence.js";
import { valueAt } from "../../contract/json-pointer.js";
import { createSecretFinder } from "../../secrets/find-secrets.js";
import type { Answer, Problem } from "./answer.js";
import { contradictionsIn } from "./contradictions.js";
import { fullReply } from "./create-call.js";
import type { HostRequest } from "./create-subscription-host.js";
import { readableTexts } from "./readable-texts.js";

/** The context in which a response is compared with its case. */
export interface ComparisonContext {
  /** The rules of the contract. */
  readonly rules: readonly DaemonRule[];
  /** The replies to earlier calls by their name. Defaults to none. */
  readonly replies?: Readonly<Record<string, JsonObject>>;
  /** The requests that the host of the case got because of the call. If undefined, they are not compared. */
  readonly fetches?: readonly HostRequest[];
}

/**
 * Describes how a response differs from what the case fixes.
 *
 * A case with a reply fixes that the RPC exists, that the call succeeds unless the case is `open`, and the values at its `exact`
 * pointers. Every case fixes that the response follows the RPC protocol and shows none of its `secrets`. The contract fixes neither code
 * nor message of an error, nor whether the lists of a preview are complete. A case whose rule is a recommendation also fixes whether
 * the call succeeds, the code of its error, and what the host gets. `broken` of a rule says which replies contradict themselves.
 */
export function compareAnswer(one: DaemonCase, answer: Answer, context: ComparisonContext): Problem[] {
  const { rules } = context;
  const contradictions = answer.kind === "reply" ? contradictionsIn(one, answer, rules) : [];
  return [
    ...contentProblems(one, answer, context),
    ...fetchProblems(one, answer, context),
    ...contradictions,
    ...leaks(one, answer, rules),
  ];
}

/** Finds the rules of a case that a secret on a surface breaks. If there are none, returns the main rule of the case. */
export function rulesOfLeak(one: DaemonCase, surface: Surface, rules: readonly DaemonRule[]): string[] {
  const isAbout = ({ broken }: DaemonRule) => broken?.leak === undefined || broken.leak.includes(surface);
  return orMain(one, namedIds(one, rules, isAbout));
}

function contentProblems(one: DaemonCase, answer: Answer, { rules, replies = {} }: ComparisonContext): Problem[] {
  // A recommended case with secrets allows any kind of response, and only looks for the secrets in it.
  const recommended = isRecommended(one, rules) && one.secrets === undefined;
  const mustSucceed = one.reply !== undefined && one.open === undefined && !isRecommended(one, rules);
  switch (answer.kind) {
    case "reply":
      if (recommended && one.error !== undefined)
        return [{ rules: [one.rule], text: `expected the error ${one.error.code}, got a reply` }];
      return [
        ...exactProblems(one, answer.reply, rules),
        ...filledProblems(one, answer.reply, rules),
        ...distinctProblems(one, answer.reply, replies),
      ];
    case "error": {
      const isMissing = answer.code === "unimplemented";
      const isOther = recommended && answer.code !== one.error?.code;
      const broken = [
        ...(isMissing ? rulesOfPresence(one, rules) : []),
        ...(mustSucceed ? statements(one, rules) : []),
        ...(isOther ? [one.rule] : []),
      ];
      const error = isOther ? `the error ${one.error?.code}` : "that the daemon has the RPC";
      const expected = one.reply === undefined ? error : "a reply";
      const hint = isMissing ? "; --package and --mesh-service name services that have other names" : "";
      const text = `expected ${expected}, got the error ${answer.code} with ${JSON.stringify(answer.message)}${hint}`;
      return broken.length === 0 ? [] : [{ rules: broken, text }];
    }
    case "malformed":
      return [
        {
          rules: rules.filter(({ broken }) => broken?.malformed === true).map(({ id }) => id),
          text: `expected an answer of the RPC protocol, got: ${answer.text}`,
        },
      ];
    case "timeout":
      if (mustSucceed)
        return [{ rules: statements(one, rules), text: `expected a reply, got none within ${answer.afterMs} ms` }];
      return recommended
        ? [{ rules: [one.rule], text: `expected ${expectation(one)}, got none within ${answer.afterMs} ms` }]
        : [];
    case "unreachable":
      return [];
  }
}

function expectation({ error }: DaemonCase): string {
  return error === undefined ? "a reply" : `the error ${error.code}`;
}

/** The rules that a case shows broken if the daemon says that it does not implement the RPC. */
function rulesOfPresence(one: DaemonCase, rules: readonly DaemonRule[]): string[] {
  if (one.reply !== undefined) return namedIds(one, rules, ({ layer }) => layer === "service");
  // A daemon may reject an unsupported URL in this way.
  if (one.request.url !== undefined) return [];
  const [service] = one.rpc.split("/");
  return rules.filter(({ broken }) => broken?.unimplemented === service).map(({ id }) => id);
}

function exactProblems(one: DaemonCase, actual: JsonObject, rules: readonly DaemonRule[]): Problem[] {
  const expected = fullReply(one.rpc, one.reply ?? {});
  return (one.exact ?? []).flatMap((pointer) => {
    const [wanted, got] = [at(expected, pointer), at(actual, pointer)];
    if (isDeepStrictEqual(wanted, got)) return [];
    return [
      { rules: [ruleOfField(one, pointer, rules)], text: `${pointer}: expected ${show(wanted)}, got ${show(got)}` },
    ];
  });
}

/** Reports values of `filled` that are empty in the reply but not in the case, or the other way round. */
function filledProblems(one: DaemonCase, actual: JsonObject, rules: readonly DaemonRule[]): Problem[] {
  const expected = fullReply(one.rpc, one.reply ?? {});
  return (one.filled ?? []).flatMap((pointer) => {
    const [wanted, got] = [valuesAt(expected, pointer).map(isSet), valuesAt(actual, pointer).map(isSet)];
    if (isDeepStrictEqual(wanted, got)) return [];
    const [want, have] = [wanted, got].map((all) => `[${all.map((set) => (set ? "set" : "empty")).join(", ")}]`);
    return [{ rules: [ruleOfField(one, pointer, rules)], text: `${pointer}: expected ${want}, got ${have}` }];
  });
}

function distinctProblems(
  { rule, distinct = {} }: DaemonCase,
  actual: JsonObject,
  replies: Readonly<Record<string, JsonObject>>,
): Problem[] {
  return Object.entries(distinct).flatMap(([field, source]) => {
    const other = valueAt(replies, `/${source.replaceAll(".", "/")}`);
    if (!isDeepStrictEqual(actual[field], other)) return [];
    return [{ rules: [rule], text: `/${field}: expected a value other than ${source}, got ${show(other)} again` }];
  });
}

/** Compares the requests to the host with those of the case. Paths and headers hold secrets, so the sentences do not quote them. */
function fetchProblems(
  { rule, fetched, error }: DaemonCase,
  answer: Answer,
  { fetches }: ComparisonContext,
): Problem[] {
  const isExpected = answer.kind === (error === undefined ? "reply" : "error");
  if (fetched === undefined || fetches === undefined || !isExpected) return [];
  const relevant = new Set(fetched.flatMap(({ headers = {} }) => Object.keys(headers)));
  const key = ({ path, headers }: HostRequest) => JSON.stringify([path, ...[...relevant].map((name) => headers[name])]);
  const requests = [...new Map(fetches.map((request) => [key(request), request])).values()];
  if (requests.length !== fetched.length)
    return [{ rules: [rule], text: `the host: expected requests: ${fetched.length}, got ${requests.length}` }];
  return fetched.flatMap(({ path, headers = {} }, index) => {
    const request = requests[index];
    const text = [
      ...(request?.path === path ? [] : ["another path or query than expected"]),
      ...Object.entries(headers).flatMap(([name, value]) => {
        const got = request?.headers[name];
        if (got === (value ?? undefined)) return [];
        if (value === null) return [`a header ${name} that should be absent`];
        return [got === undefined ? `no header ${name}` : `another header ${name} than expected`];
      }),
    ].join(" and ");
    return text === "" ? [] : [{ rules: [rule], text: `the host: request ${index + 1} has ${text}` }];
  });
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

/** The value at a pointer; if it contains `*`, the list of all matching values. */
function at(document: JsonObject, pointer: string): unknown {
  return pointer.includes("*") ? valuesAt(document, pointer) : valueAt(document, pointer);
}

function leaks(one: DaemonCase, answer: Answer, rules: readonly DaemonRule[]): Problem[] {
  if (one.secrets === undefined) return [];
  const find = createSecretFinder(one.secrets);
  return readableTexts(answer)
    .filter(({ texts }) => texts.some((text) => find(text).length > 0))
    .map(({ surface, place }) => ({
      rules: rulesOfLeak(one, surface, rules),
      text: `${place} shows a secret of the URL`,
    }));
}

/** The ids of the rules that a case names and that pass a test, in the order in which it names them. */
function namedIds(
  { rule, also = [] }: DaemonCase,
  rules: readonly DaemonRule[],
  test: (rule: DaemonRule) => boolean,
): string[] {
  return [rule, ...also].filter((id) => rules.some((one) => one.id === id && test(one)));
}

/** The rules of a case that are about neither the presence of the RPC nor how messages travel. */
function statements(one: DaemonCase, rules: readonly DaemonRule[]): string[] {
  return orMain(
    one,
    namedIds(one, rules, ({ layer }) => layer === undefined),
  );
}

function orMain({ rule }: DaemonCase, rules: string[]): string[] {
  return rules.length === 0 ? [rule] : rules;
}

function show(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
