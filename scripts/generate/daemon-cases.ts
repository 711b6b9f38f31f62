import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@bufbuild/protobuf";
import { expressionOf, expressionsIn } from "../../src/contract/expressions.js";
import type {
  DaemonCase,
  DaemonCases,
  DaemonProbes,
  DaemonRule,
  EarlierCall,
  GivenStep,
} from "../../src/contract/rpc/cases.js";
import { earlierCalls, findShowableRules, type OutputOf } from "../../src/contract/rpc/evidence.js";
import { strengthProblems } from "../../src/contract/strength.js";
import { sourceProblem } from "../source-locators.js";
import type { Problem } from "../../src/contract/yaml-source.js";
import { type CaseFile, casesFolder, readCaseFiles } from "./daemon-case-files.js";
import { type CaseMessages, leadsToField, loadCaseMessages } from "./daemon-case-messages.js";
import { breachProblems, listProbes, matcherProblems, missingParts } from "./daemon-checks.js";

/**
 * Writes `cases.json` into `outDir`: the rules and cases of `proto/cases`, with every message in canonical ProtoJSON.
 * If there are problems, writes nothing and throws all of them, each with file, line and case.
 */
export function writeDaemonCases({ problems, ...content }: ReadDaemonCases, outDir: string): void {
  if (problems.length > 0) throw new Error(problems.join("\n"));
  mkdirSync(outDir, { recursive: true });
  writeFileSync(join(outDir, "cases.json"), `${JSON.stringify(content, null, 2)}\n`);
}

/** Rules and cases, with their problems. */
export type ReadDaemonCases = DaemonCases & { readonly problems: Problem[] };

/**
 * Reads the rules and cases of a folder and validates them: against `cases.schema.json`, against the messages of
 * `proto/`, and against each other. `problems` is empty if everything is valid. `loading` saves a caller that reads several folders from
 * compiling `proto/` for each.
 */
export async function readDaemonCases(
  folder: string = casesFolder,
  loading: Promise<CaseMessages> = loadCaseMessages(),
): Promise<ReadDaemonCases> {
  const { files, problems } = readCaseFiles(folder);
  const messages = await loading;
  const cases: DaemonCase[] = [];
  for (const file of files) {
    for (const [index, given] of file.cases.entries()) {
      const found: string[] = [];
      const isKnown = [given.rpc, ...earlierCalls(given).map(({ call }) => call)].every((rpc) =>
        messages.rpcs.includes(rpc),
      );
      cases.push(isKnown ? checkMessages(given, messages, found) : given);
      if (!isKnown) found.push(`rpc must be one of ${messages.rpcs.join(", ")}`);
      found.push(...secretProblems(given));
      problems.push(...found.map((text) => file.problem(["cases", index], text)));
    }
  }
  const allRules = files.flatMap((file) => file.rules.map((rule) => withRpc(rule, file)));
  const rules = allRules.filter(({ party }) => party === undefined);
  const clientRules = allRules.filter(({ party }) => party === "client");
  const probes = listProbes(files);
  problems.push(
    ...files.flatMap((file) => breachProblems(file, messages)),
    // Tests read incomplete contracts.
    ...(folder === casesFolder ? missingParts(files, messages.rpcs) : []),
    ...doubles(files),
    ...ruleProblems(files, problems.length === 0 ? (rpc) => messages.method(rpc).output : undefined),
    ...sameRequests(files, cases),
  );
  return { rules, clientRules, cases, probes: probes as DaemonProbes, problems };
}

function withRpc(rule: DaemonRule, { rpc }: CaseFile): DaemonRule {
  return rpc === undefined ? rule : { ...rule, rpc };
}

function checkMessages(given: DaemonCase, messages: CaseMessages, problems: string[]): DaemonCase {
  const canonical = <Json extends DaemonCase["request"]>(
    place: string,
    rpc: DaemonCase["rpc"],
    side: "input" | "output",
    json: Json,
  ) => {
    try {
      return messages.canonical(messages.method(rpc)[side], json);
    } catch (error) {
      problems.push(`${place}: ${error instanceof Error ? error.message : String(error)}`);
      return json;
    }
  };
  const calls = earlierCalls(given);
  const { input, output } = messages.method(given.rpc);
  const sourceProblems = (value: unknown, earlier: readonly EarlierCall[]) =>
    expressionsIn(value).flatMap((source) => messages.sourceProblem(source, earlier) ?? []);
  const checked = given.given?.map((step): GivenStep => {
    if ("serve" in step) return step;
    const place = `given ${step.id}`;
    problems.push(...sourceProblems(step.with, calls.slice(0, calls.indexOf(step))).map((text) => `${place}: ${text}`));
    const [bound, fixed] = splitExpressions(step.with);
    const { input } = messages.method(step.call);
    const unknown = Object.keys(bound).filter((name) => !leadsToField(input, [name]));
    problems.push(...unknown.map((name) => `${place}: with: ${input.typeName} has no field ${name}`));
    return { ...step, with: { ...canonical(`${place}: with`, step.call, "input", fixed), ...bound } };
  });
  const { bind = {}, exact = [], expect = {} } = given;
  for (const [field, source] of Object.entries(bind)) {
    const unknown = leadsToField(input, [field]) ? undefined : `${field}, which is not a field of ${input.typeName}`;
    problems.push(
      ...[unknown ?? messages.sourceProblem(source, calls) ?? []].flat().map((text) => `bind names ${text}`),
    );
  }
  for (const [key, pointers] of Object.entries({ exact, expect: Object.keys(expect) })) {
    for (const pointer of pointers.filter(
      (one) => one !== "$host.requests" && !leadsToField(output, one.slice(1).split("/")),
    ))
      problems.push(`${key} names ${pointer}, which is not a field of ${output.typeName}`);
  }
  problems.push(...sourceProblems(expect, calls).map((text) => `expect names ${text}`), ...matcherProblems(expect));
  return {
    ...given,
    ...(checked === undefined ? {} : { given: checked }),
    request: canonical("request", given.rpc, "input", given.request),
    ...(given.reply === undefined ? {} : { reply: canonical("reply", given.rpc, "output", given.reply) }),
  };
}

/** The fields of a message that are values of earlier replies, and the others. */
function splitExpressions(message: JsonObject): [bound: JsonObject, fixed: JsonObject] {
  const isBound = ([, value]: [string, unknown]) => typeof value === "string" && expressionOf(value) !== undefined;
  const entries = Object.entries(message);
  return [Object.fromEntries(entries.filter(isBound)), Object.fromEntries(entries.filter((entry) => !isBound(entry)))];
}

/** Searching for a secret that the URL lacks would be useless, and the mock must not reveal a secret itself. */
function secretProblems(given: DaemonCase): string[] {
  const url = [given.request, ...earlierCalls(given).map((call) => call.with)]
    .map((request) => String(request.url ?? ""))
    .join(" ");
  const answer = JSON.stringify(given.reply ?? given.error);
  return (given.secrets ?? []).flatMap((secret) => [
    ...(url.includes(secret) || url.includes(encodeURIComponent(secret))
      ? []
      : [`secrets names ${secret}, which is in no URL of the case`]),
    ...(answer.includes(secret) ? [`the ${given.error ? "error" : "reply"} shows the secret ${secret}`] : []),
  ]);
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

/** `outputOf` is undefined if some examples are unreadable; what depends on them is then not checked. */
function ruleProblems(files: readonly CaseFile[], outputOf: OutputOf | undefined): Problem[] {
  const named = new Set(files.flatMap((file) => file.cases.flatMap(({ rule, also = [] }) => [rule, ...also])));
  const rules = files.flatMap((file) => file.rules);
  const showable = new Set(
    outputOf ? files.flatMap((file) => file.cases.flatMap((one) => findShowableRules(one, rules, outputOf))) : [],
  );
  const known = new Set(files.flatMap((file) => file.rules.map(({ id }) => id)));
  return files.flatMap((file) => [
    ...file.cases.flatMap(({ rule, also = [] }, index) =>
      [rule, ...also]
        .filter((id) => !known.has(id))
        .map((id) => file.problem(["cases", index], `there is no rule ${id}`)),
    ),
    ...file.rules.flatMap(({ source }, index) => {
      const problem = sourceProblem(source);
      return problem === undefined ? [] : [file.problem(["rules", index], problem)];
    }),
    ...file.rules.flatMap((rule, index) => {
      const { id, untestable, shown } = rule;
      const [unclear] = strengthProblems(rule);
      if (unclear !== undefined) return [file.problem(["rules", index], unclear)];
      if (untestable === undefined && shown?.by !== "descriptor" && !named.has(id))
        return [file.problem(["rules", index], "no case names it; add one, or say why in untestable")];
      if (untestable !== undefined && named.has(id))
        return [file.problem(["rules", index], "a case names it, so it is not untestable")];
      if (untestable === undefined && shown === undefined)
        return [file.problem(["rules", index], "shown is missing: say which answer shows the rule")];
      if (shown?.by === "case" && rule.strength !== "should")
        return [file.problem(["rules", index], "only a recommendation can be shown by its case")];
      if (outputOf && untestable === undefined && !isShownElsewhere(shown) && !showable.has(id))
        return [file.problem(["rules", index], "no case that names it has an example that shows it")];
      return [];
    }),
  ]);
}

/** Whether a check other than a case shows a rule. */
function isShownElsewhere(shown: DaemonRule["shown"]): boolean {
  return shown?.by === "log" || shown?.by === "descriptor";
}

/**
 * The mock selects a case by its request, so it could never select the second of two cases with the same request. That is harmless if the
 * request is empty, as those of an RPC without fields are, and the reply is the same.
 */
function sameRequests(files: readonly CaseFile[], cases: readonly DaemonCase[]): Problem[] {
  const places = files.flatMap((file) => file.cases.map((_, index) => ({ file, index })));
  const seen = new Map<string, DaemonCase>();
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
