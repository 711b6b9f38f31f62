import { join } from "node:path";
import type { JsonObject } from "@bufbuild/protobuf";
import { expressionsIn } from "../expressions.js";
import { pointerKeys } from "../json-pointer.js";
import { createStateCatalogue, readStatesBeside, type StateCatalogue } from "../rest/states/catalogue.js";
import type { Problem } from "../yaml-source.js";
import { merged, pathsIn, splitExpressions } from "./bindings.js";
import { type CaseFile, readCaseFiles, type WrittenCase } from "./case-files.js";
import {
  type CaseMessages,
  doubles,
  fileProblems,
  rpcProblem,
  ruleProblems,
  type StrictCases,
  sameRequests,
} from "./case-problems.js";
import type { EarlierCall, GivenStep, RpcCase, RpcCases, RpcProbes, RpcRule } from "./cases.js";
import { createRpcContract, impliedRuleId, methodOf, type RpcContract } from "./contract.js";
import { earlierCalls, givenStates, mustSucceed } from "./evidence.js";
import { canonicalJson, leadsToField } from "./messages.js";

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
   * shows it. Defaults to no such requirements.
   */
  readonly strict?: StrictCases;
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
  const catalogue = createStateCatalogue(join(folder, "cases"));
  const problems = [...unreadable];
  const cases: RpcCase[] = [];
  for (const file of files) {
    for (const [index, written] of file.cases.entries()) {
      const given = withDefaults(written);
      const found = [given.rpc, ...earlierCalls(given).map(({ call }) => call)].flatMap(
        (rpc) => rpcProblem(rpc, messages) ?? [],
      );
      if (strict !== undefined && written.summary === undefined) found.push("summary is missing");
      if (strict !== undefined && written.rule === undefined) found.push("rule is missing");
      found.push(...catalogue.problems({ rule: given.rule, given: givenStates(given) }));
      cases.push(found.length === 0 ? checkMessages(given, messages, found, catalogue) : given);
      problems.push(...found.map((text) => file.problem(["cases", index], text)));
    }
  }
  const states = readStatesBeside(folder);
  const allRules = files.flatMap((file) => file.rules.map((rule) => withRpc(rule, file)));
  const content: RpcCases = {
    rules: allRules.filter(({ party }) => party === undefined),
    clientRules: allRules.filter(({ party }) => party === "client"),
    cases,
    probes: listProbes(files),
    states,
  };
  problems.push(
    ...files.flatMap((file) => fileProblems(file, messages)),
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
    ...(written.given === undefined ? {} : { given: written.given.map(withId) }),
  };
}

/** A state may omit its id. */
function withId(step: GivenStep): GivenStep {
  return "state" in step ? { ...step, id: step.id ?? step.state } : step;
}

function withRpc(rule: RpcRule, { rpc }: CaseFile): RpcRule {
  return rpc === undefined ? rule : { ...rule, rpc };
}

/** The RPC of each probe. If two files define a probe, the last one wins. */
function listProbes(files: readonly CaseFile[]): RpcProbes {
  return Object.fromEntries(files.flatMap(({ rpc, probes = [] }) => (rpc ? probes.map((kind) => [kind, rpc]) : [])));
}

function checkMessages(given: RpcCase, messages: CaseMessages, problems: string[], catalogue: StateCatalogue): RpcCase {
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
  const states = givenStates(given);
  const problemOf = (source: string, earlier: readonly EarlierCall[]) => {
    const [id, name = ""] = source.split(".");
    const state = states.find((one) => one.id === id)?.state;
    if (state === undefined) return expressionProblem(source, earlier, messages);
    return catalogue.valuesOf(state).includes(name)
      ? undefined
      : `${source}, but the state ${state} returns no ${name}`;
  };
  const expressionProblems = (value: unknown, earlier: readonly EarlierCall[]) =>
    expressionsIn(value).flatMap((source) => problemOf(source, earlier) ?? []);
  const checked = given.given?.map((step): GivenStep => {
    if ("serve" in step || "state" in step) return step;
    const place = `given ${step.id}`;
    const earlier = calls.slice(0, calls.indexOf(step));
    problems.push(...expressionProblems(step.with, earlier).map((text) => `${place}: ${text}`));
    const [bound, fixed] = splitExpressions(step.with);
    const { input } = methodOf(messages, step.call);
    const unknown = pathsIn(bound).filter((path) => !leadsToField(input, path));
    problems.push(...unknown.map((path) => `${place}: with: ${input.typeName} has no field ${path.join(".")}`));
    return { ...step, with: merged(canonical(`${place}: with`, step.call, "input", fixed), bound) };
  });
  const { bind = {}, exact = [], expect = {} } = given;
  for (const [field, source] of Object.entries(bind)) {
    const unknown = leadsToField(input, field.split("."))
      ? undefined
      : `${field}, which is not a field of ${input.typeName}`;
    const problem = unknown ?? problemOf(source, calls);
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
  if (source === "unique.word") return undefined;
  const [id, ...path] = source.split(".");
  const found = earlier.find((candidate) => candidate.id === id && mustSucceed(candidate));
  if (found === undefined) return `${source}, but no earlier call is named ${id}`;
  const { output } = methodOf(messages, found.call);
  return leadsToField(output, path) ? undefined : `${source}, which is not a field of ${output.typeName}`;
}
