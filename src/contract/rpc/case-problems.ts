import { isDeepStrictEqual } from "node:util";
import type { DescMethod } from "@bufbuild/protobuf";
import { pointerKeys } from "../json-pointer.js";
import { strengthProblems } from "../strength.js";
import type { Problem } from "../yaml-source.js";
import type { CaseFile } from "./case-files.js";
import type { RpcCase, RpcCases } from "./cases.js";
import { impliedRuleId, type RpcContract } from "./contract.js";
import { byCase, findShowableRules } from "./evidence.js";
import { leadsToField } from "./messages.js";

/** The messages and RPCs that cases refer to. */
export type CaseMessages = Pick<RpcContract, "methods" | "unsupported" | "registry">;

/** What everything that can be said must be, for contracts that say all of it. */
export interface StrictCases {
  /** Says what is wrong with a source. */
  readonly sourceProblem: (source: string | undefined) => string | undefined;
}

/** Why no case can call an RPC. Undefined if one can. */
export function rpcProblem(rpc: string, { methods, unsupported }: CaseMessages): string | undefined {
  const streaming = unsupported.find((one) => one.rpc === rpc);
  if (streaming !== undefined) return `${rpc}: ${streaming.reason}`;
  const names = methods.map((one) => one.rpc);
  return names.includes(rpc) ? undefined : `rpc must be one of ${names.join(", ")}`;
}

/** The method of an RPC, also if the RPC is unknown. */
function findMethod(rpc: string, messages: CaseMessages): DescMethod | undefined {
  return messages.methods.find((one) => one.rpc === rpc)?.method;
}

/** Describes what is wrong with the RPC and the probes of a file, and with `expect` and `broken` in its rules. */
export function fileProblems(file: CaseFile, messages: CaseMessages): Problem[] {
  const { rpc, probes = [] } = file;
  const unknown = rpc === undefined ? undefined : rpcProblem(rpc, messages);
  if (unknown !== undefined) return [file.problem(["rpc"], unknown)];
  const method = rpc === undefined ? undefined : findMethod(rpc, messages);
  const services = new Set(messages.methods.map((one) => one.rpc.split("/")[0] ?? ""));
  const problems: Problem[] = [];
  if (probes.length > 0 && rpc === undefined)
    problems.push(file.problem(["probes"], "probes needs the rpc of the file"));
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

/** Finds rules and cases with the name of another. */
export function doubles(files: readonly CaseFile[]): Problem[] {
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
export function ruleProblems(
  files: readonly CaseFile[],
  content: RpcCases,
  messages: CaseMessages | undefined,
  strict: StrictCases | undefined,
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
      const isElsewhere = shown.by === "check" || shown.by === "descriptor";
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
export function sameRequests(files: readonly CaseFile[], cases: readonly RpcCase[]): Problem[] {
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
