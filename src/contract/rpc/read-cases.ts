import { isDeepStrictEqual } from "node:util";
import type { DescMethod, JsonObject } from "@bufbuild/protobuf";
import { expressionOf, expressionsIn } from "../expressions.js";
import { pointerKeys } from "../json-pointer.js";
import { strengthProblems } from "../strength.js";
import type { Problem } from "../yaml-source.js";
import { type CaseFile, readCaseFiles, type WrittenCase } from "./case-files.js";
import type { EarlierCall, GivenStep, RpcCase, RpcCases, RpcProbes, RpcRule } from "./cases.js";
import { createRpcContract, impliedRuleId, methodOf, type RpcContract } from "./contract.js";
import { byCase, earlierCalls, fetchedUrl, findShowableRules } from "./evidence.js";
import { canonicalJson, leadsToField } from "./messages.js";

/** The messages and RPCs that cases refer to. */
export type CaseMessages = Pick<RpcContract, "methods" | "unsupported" | "registry">;

/** The messages and RPCs of files. */
export function messagesOf(described: Pick<RpcContract, "files" | "registry">): CaseMessages {
  const { methods, unsupported } = createRpcContract({
    ...{ name: "", version: "", schema: "", files: described.files, isSecret: () => false },
    ...{ rules: [], clientRules: [], cases: [], probes: {} },
  });
  return { methods, unsupported, registry: described.registry };
}

/** Rules and cases, with their problems. */
export interface ReadRpcCases {
  readonly content: RpcCases;
  readonly files: readonly CaseFile[];
  readonly problems: readonly Problem[];
}

/** How to read a folder. */
export interface ReadCasesOptions {
  /** The path of the folder in problems. Defaults to `cases`. */
  readonly shownAs?: string;
  /**
   * Whether everything that can be said must be: each case has a rule and a summary, and each rule has a source, evidence, and a case that
   * shows it. Says what is wrong with a source. Defaults to no such requirements.
   */
  readonly strict?: { readonly sourceProblem: (source: string | undefined) => string | undefined };
}

/**
 * Reads the rules and cases of a folder and validates them: against the schema, against the messages, and against each other. Converts all
 * messages to canonical ProtoJSON. `problems` is empty if everything is valid.
 */
export function readRpcCases(
  folder: string,
  messages: CaseMessages,
  { shownAs = "cases", strict }: ReadCasesOptions = {},
): ReadRpcCases {
  const { files, problems: unreadable } = readCaseFiles(folder, shownAs);
  const problems = [...unreadable];
  const fetching = files.filter(({ fetches }) => fetches !== undefined);
  const [fetches] = fetching.flatMap((file) => file.fetches ?? []);
  problems.push(...fetching.slice(1).map((file) => file.problem(["fetches"], "another file has `fetches`")));
  const about = fetches === undefined ? {} : { fetches };
  const cases: RpcCase[] = [];
  for (const file of files) {
    for (const [index, written] of file.cases.entries()) {
      const given = withDefaults(written);
      const found = [given.rpc, ...earlierCalls(given).map(({ call }) => call)].flatMap(
        (rpc) => rpcProblem(rpc, messages) ?? [],
      );
      if (strict !== undefined && written.summary === undefined) found.push("summary is missing");
      if (strict !== undefined && written.rule === undefined) found.push("rule is missing");
      cases.push(found.length === 0 ? checkMessages(given, messages, found) : given);
      found.push(...secretProblems(given, about));
      problems.push(...found.map((text) => file.problem(["cases", index], text)));
    }
  }
  const allRules = files.flatMap((file) => file.rules.map((rule) => withRpc(rule, file)));
  const content: RpcCases = {
    rules: allRules.filter(({ party }) => party === undefined),
    clientRules: allRules.filter(({ party }) => party === "client"),
    cases,
    probes: listProbes(files),
    ...about,
  };
  problems.push(
    ...files.flatMap((file) => fileProblems(file, messages, about)),
    ...doubles(files),
    ...ruleProblems(files, content, problems.length === 0 ? messages : undefined, strict),
    ...sameRequests(files, cases),
  );
  return { content, files, problems };
}

function withDefaults(written: WrittenCase): RpcCase {
  const { name, rpc } = written;
  const words = name.replaceAll("-", " ");
  const named = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return {
    ...written,
    summary: written.summary ?? named,
    rule: written.rule ?? impliedRuleId(rpc),
    request: written.request ?? {},
  };
}

function withRpc(rule: RpcRule, { rpc }: CaseFile): RpcRule {
  return rpc === undefined ? rule : { ...rule, rpc };
}

/** The RPC of each probe. If two files define a probe, the last one wins. */
function listProbes(files: readonly CaseFile[]): RpcProbes {
  return Object.fromEntries(files.flatMap(({ rpc, probes = [] }) => (rpc ? probes.map((kind) => [kind, rpc]) : [])));
}

/** Why no case can call an RPC. Undefined if one can. */
function rpcProblem(rpc: string, { methods, unsupported }: CaseMessages): string | undefined {
  const streaming = unsupported.find((one) => one.rpc === rpc);
  if (streaming !== undefined) return `${rpc}: ${streaming.reason}`;
  const names = methods.map((one) => one.rpc);
  return names.includes(rpc) ? undefined : `rpc must be one of ${names.join(", ")}`;
}

/** The method of an RPC, also if the RPC is unknown. */
function findMethod(rpc: string, messages: CaseMessages): DescMethod | undefined {
  return messages.methods.find((one) => one.rpc === rpc)?.method;
}

function checkMessages(given: RpcCase, messages: CaseMessages, problems: string[]): RpcCase {
  const canonical = (place: string, rpc: string, side: "input" | "output", json: JsonObject) => {
    problems.push(...roundedNumbers(json).map((text) => `${place}: ${text}`));
    try {
      return canonicalJson(methodOf(messages, rpc)[side], json, messages.registry);
    } catch (error) {
      problems.push(`${place}: ${error instanceof Error ? error.message : String(error)}`);
      return json;
    }
  };
  const calls = earlierCalls(given);
  const { input, output } = methodOf(messages, given.rpc);
  const expressionProblems = (value: unknown, earlier: readonly EarlierCall[]) =>
    expressionsIn(value).flatMap((source) => expressionProblem(source, earlier, messages) ?? []);
  const checked = given.given?.map((step): GivenStep => {
    if ("serve" in step) return step;
    const place = `given ${step.id}`;
    const earlier = calls.slice(0, calls.indexOf(step));
    problems.push(...expressionProblems(step.with, earlier).map((text) => `${place}: ${text}`));
    const [bound, fixed] = splitExpressions(step.with);
    const { input } = methodOf(messages, step.call);
    const unknown = Object.keys(bound).filter((name) => !leadsToField(input, [name]));
    problems.push(...unknown.map((name) => `${place}: with: ${input.typeName} has no field ${name}`));
    return { ...step, with: { ...canonical(`${place}: with`, step.call, "input", fixed), ...bound } };
  });
  const { bind = {}, exact = [], expect = {} } = given;
  for (const [field, source] of Object.entries(bind)) {
    const unknown = leadsToField(input, [field]) ? undefined : `${field}, which is not a field of ${input.typeName}`;
    const problem = unknown ?? expressionProblem(source, calls, messages);
    if (problem !== undefined) problems.push(`bind names ${problem}`);
  }
  for (const [key, pointers] of Object.entries({ exact, expect: Object.keys(expect) })) {
    for (const pointer of pointers) {
      if (pointer !== "$host.requests" && !leadsToField(output, pointerKeys(pointer)))
        problems.push(`${key} names ${pointer}, which is not a field of ${output.typeName}`);
    }
  }
  problems.push(...expressionProblems(expect, calls).map((text) => `expect names ${text}`));
  return {
    ...given,
    ...(checked === undefined ? {} : { given: checked }),
    request: canonical("request", given.rpc, "input", given.request),
    ...(given.reply === undefined ? {} : { reply: canonical("reply", given.rpc, "output", given.reply) }),
  };
}

/** Finds 64-bit integers that are written as numbers, which YAML rounds to doubles. */
function roundedNumbers(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(roundedNumbers);
  const isRounded = typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER && Math.abs(value) < 2 ** 64;
  return isRounded ? [`${value} may be rounded; write numbers above 2^53 as text, in quotes`] : [];
}

/** Says why an expression such as `import.id` is no value of an earlier reply; undefined if it is one. */
function expressionProblem(
  source: string,
  earlier: readonly EarlierCall[],
  messages: CaseMessages,
): string | undefined {
  const [id, ...path] = source.split(".");
  const found = earlier.find((candidate) => candidate.id === id && candidate.expect === undefined);
  if (found === undefined) return `${source}, but no earlier call is named ${id}`;
  const { output } = methodOf(messages, found.call);
  return leadsToField(output, path) ? undefined : `${source}, which is not a field of ${output.typeName}`;
}

/** The fields of a message that are values of earlier replies, and the others. */
function splitExpressions(message: JsonObject): [bound: JsonObject, fixed: JsonObject] {
  const isBound = ([, value]: [string, unknown]) => typeof value === "string" && expressionOf(value) !== undefined;
  const entries = Object.entries(message);
  return [Object.fromEntries(entries.filter(isBound)), Object.fromEntries(entries.filter((entry) => !isBound(entry)))];
}

/** Searching for a secret that the URL lacks would be useless, and the mock must not reveal a secret itself. */
function secretProblems(given: RpcCase, about: Pick<RpcContract, "fetches">): string[] {
  const requests = [given.request, ...earlierCalls(given).map((call) => call.with)];
  const url = requests.map((request) => fetchedUrl(request, about) ?? "").join(" ");
  // A contract without URLs has its secrets in any field.
  const sent = about.fetches === undefined ? JSON.stringify(requests) : url;
  const place = about.fetches === undefined ? "request" : "URL";
  const answer = JSON.stringify(given.reply ?? given.error ?? {});
  return (given.secrets ?? []).flatMap((secret) => [
    ...(sent.includes(secret) || sent.includes(encodeURIComponent(secret))
      ? []
      : [`secrets names ${secret}, which is in no ${place} of the case`]),
    ...(answer.includes(secret) ? [`the ${given.error ? "error" : "reply"} shows the secret ${secret}`] : []),
  ]);
}

/** Describes what is wrong with the RPC and the probes of a file, and with `expect` and `broken` in its rules. */
function fileProblems(file: CaseFile, messages: CaseMessages, { fetches }: Pick<RpcContract, "fetches">): Problem[] {
  const { rpc, probes = [] } = file;
  const unknown = rpc === undefined ? undefined : rpcProblem(rpc, messages);
  if (unknown !== undefined) return [file.problem(["rpc"], unknown)];
  const method = rpc === undefined ? undefined : findMethod(rpc, messages);
  const services = new Set(messages.methods.map((one) => one.rpc.split("/")[0] ?? ""));
  const problems: Problem[] = [];
  const needsUrl = probes.includes("fetch") && method !== undefined;
  if (probes.length > 0 && rpc === undefined)
    problems.push(file.problem(["probes"], "probes needs the rpc of the file"));
  if (needsUrl && (fetches === undefined || !leadsToField(method.input, [fetches])))
    problems.push(
      file.problem(["probes"], `fetch needs an RPC whose request has the field of \`fetches\`, which ${rpc} lacks`),
    );
  for (const [index, { expect = {}, broken = {} }] of file.rules.entries()) {
    const say = (text: string) => problems.push(file.problem(["rules", index], text));
    const { unimplemented, wrong = [], misplaced } = broken;
    if (unimplemented !== undefined && !services.has(unimplemented))
      say(`broken.unimplemented must be one of ${[...services].join(", ")}`);
    const named = { broken: [...[wrong].flat(), ...[misplaced ?? []].flat()], expect: Object.keys(expect) };
    for (const [key, pointers] of Object.entries(named)) {
      for (const pointer of pointers) {
        if (method === undefined) say(`${key} names ${pointer}, so the file needs the rpc whose reply has it`);
        else if (!leadsToField(method.output, pointerKeys(pointer)))
          say(`${key} names ${pointer}, which is not a field of ${method.output.typeName}`);
      }
    }
  }
  return problems;
}

function doubles(files: readonly CaseFile[]): Problem[] {
  const seen = new Set<string>();
  const once = (file: CaseFile, list: string, index: number, name: string, what: string) => {
    if (seen.has(`${list} ${name}`)) return [file.problem([list, index], `another ${what} has this name`)];
    seen.add(`${list} ${name}`);
    return [];
  };
  return files.flatMap((file) => [
    ...file.rules.flatMap(({ id }, index) => once(file, "rules", index, id, "rule")),
    ...file.cases.flatMap(({ name }, index) => once(file, "cases", index, name, "case")),
  ]);
}

/** Describes what is wrong between rules and cases. `messages` is undefined if some examples are unreadable. */
function ruleProblems(
  files: readonly CaseFile[],
  content: RpcCases,
  messages: CaseMessages | undefined,
  strict: ReadCasesOptions["strict"],
): Problem[] {
  const { cases } = content;
  const named = new Set(cases.flatMap(({ rule, also = [] }) => [rule, ...also]));
  const written = files.flatMap((file) => file.rules);
  const implied = written.some(({ broken }) => broken?.malformed === true)
    ? []
    : (messages?.methods ?? []).map(({ rpc }) => impliedRuleId(rpc));
  const known = new Set([...written.map(({ id }) => id), ...implied]);
  const rules = [...content.rules, ...content.clientRules];
  const showable = new Set(
    messages && cases.flatMap((one) => findShowableRules(one, { ...content, ...messages, rules })),
  );
  return files.flatMap((file) => [
    ...file.cases.flatMap(({ rule, also = [], rpc }, index) =>
      messages === undefined && rule === undefined
        ? []
        : [rule ?? impliedRuleId(rpc), ...also]
            .filter((id) => !known.has(id))
            .map((id) => file.problem(["cases", index], `there is no rule ${id}`)),
    ),
    ...file.rules.flatMap(({ source }, index) => {
      const problem = strict?.sourceProblem(source);
      return problem === undefined ? [] : [file.problem(["rules", index], problem)];
    }),
    ...file.rules.flatMap((rule, index) => {
      const say = (text: string) => [file.problem(["rules", index], text)];
      const { id, untestable, shown = byCase } = rule;
      const isElsewhere = shown.by === "log" || shown.by === "descriptor";
      if (untestable !== undefined && named.has(id)) return say("a case names it, so it is not untestable");
      if (strict !== undefined) {
        const [unclear] = strengthProblems(rule);
        if (unclear !== undefined) return say(unclear);
        if (untestable === undefined && shown.by !== "descriptor" && !named.has(id))
          return say("no case names it; add one, or say why in untestable");
        if (untestable === undefined && rule.shown === undefined)
          return say("shown is missing: say which answer shows the rule");
        if (rule.shown?.by === "case" && rule.strength !== "should")
          return say("only a recommendation can be shown by its case");
      }
      const isNamed = named.has(id);
      return messages && isNamed && untestable === undefined && !isElsewhere && !showable.has(id)
        ? say("no case that names it has an example that shows it")
        : [];
    }),
  ]);
}

/**
 * The mock selects a case by its request, so it could never select the second of two cases with the same request. That is harmless if the
 * request is empty, as those of an RPC without fields are, and the reply is the same.
 */
function sameRequests(files: readonly CaseFile[], cases: readonly RpcCase[]): Problem[] {
  const places = files.flatMap((file) => file.cases.map((_, index) => ({ file, index })));
  const seen = new Map<string, RpcCase>();
  return cases.flatMap((one, position) => {
    const { rpc, request, reply } = one;
    const place = places[position];
    const key = `${rpc} ${JSON.stringify(request)}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, one);
    const isSame = Object.keys(request).length === 0 && reply !== undefined && isDeepStrictEqual(first?.reply, reply);
    return first === undefined || place === undefined || isSame
      ? []
      : [
          place.file.problem(
            ["cases", place.index],
            `case ${first.name} of this rpc has the same request; change one, so that the mock can tell them apart`,
          ),
        ];
  });
}
