import { pointerKeys } from "../../src/contract/json-pointer.js";
import type { Matcher } from "../../src/contract/matcher.js";
import type { DaemonProbes, DaemonRule, Surface } from "../../src/contract/rpc/cases.js";
import { compileMatcher } from "../../src/verify/match/compile-matcher.js";
import type { Problem } from "../../src/contract/yaml-source.js";
import type { CaseFile } from "./daemon-case-files.js";
import { type CaseMessages, leadsToField } from "./daemon-case-messages.js";

const surfaces: readonly Surface[] = ["message", "details", "metadata", "reply", "logs"];
const probeKinds: readonly (keyof DaemonProbes)[] = ["reach", "fetch", "refusal"];

/** The RPC of each probe. If two files define a probe, the last one wins. */
export function listProbes(files: readonly CaseFile[]): Partial<DaemonProbes> {
  return Object.fromEntries(files.flatMap(({ rpc, probes = [] }) => (rpc ? probes.map((kind) => [kind, rpc]) : [])));
}

/** Describes what is wrong with the RPC and the probes of a file, and with `expect` and `broken` in its rules. */
export function breachProblems(file: CaseFile, { rpcs, method }: CaseMessages): Problem[] {
  const { rpc, probes = [] } = file;
  if (rpc !== undefined && !rpcs.includes(rpc)) return [file.problem(["rpc"], `rpc must be one of ${rpcs.join(", ")}`)];
  const services = new Set(rpcs.map((one) => one.split("/")[0] ?? ""));
  const problems: Problem[] = [];
  if (probes.length > 0 && rpc === undefined)
    problems.push(file.problem(["probes"], "probes needs the rpc of the file"));
  if (probes.includes("fetch") && rpc !== undefined && !leadsToField(method(rpc).input, ["url"]))
    problems.push(file.problem(["probes"], `fetch needs an RPC whose request has url, which ${rpc} lacks`));
  for (const [index, { expect = {}, broken = {} }] of file.rules.entries()) {
    const say = (text: string) => problems.push(file.problem(["rules", index], text));
    const { unimplemented, wrong = [], misplaced } = broken;
    if (unimplemented !== undefined && !services.has(unimplemented))
      say(`broken.unimplemented must be one of ${[...services].join(", ")}`);
    const named = { broken: [...[wrong].flat(), ...[misplaced ?? []].flat()], expect: Object.keys(expect) };
    for (const [key, pointers] of Object.entries(named)) {
      for (const pointer of pointers) {
        if (rpc === undefined) say(`${key} names ${pointer}, so the file needs the rpc whose reply has it`);
        else if (!leadsToField(method(rpc).output, pointerKeys(pointer)))
          say(`${key} names ${pointer}, which is not a field of ${method(rpc).output.typeName}`);
      }
    }
    matcherProblems(expect).forEach(say);
  }
  return problems;
}

/** Describes the matchers of an `expect` that are malformed. */
export function matcherProblems(expect: Readonly<Record<string, Matcher>>): string[] {
  return Object.entries(expect).flatMap(([at, matcher]) => {
    try {
      compileMatcher(matcher);
      return [];
    } catch (error) {
      return [`expect ${at}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}

/**
 * Describes each check of `accord verify daemon` that has no rule in the contract, or not exactly one RPC. Such a check
 * would show nothing, without any error.
 */
export function missingParts(files: readonly CaseFile[], rpcs: readonly string[]): Problem[] {
  const services = [...new Set(rpcs.map((rpc) => rpc.split("/")[0] ?? ""))];
  const rules = files.flatMap((file) => file.rules);
  const has = (test: (rule: DaemonRule) => boolean) => rules.some(test);
  return [
    ...probeKinds
      .filter((kind) => files.filter(({ probes = [] }) => probes.includes(kind)).length !== 1)
      .map((kind) => `exactly one file must have the probe ${kind}`),
    ...services
      .filter((service) => !has(({ broken }) => broken?.unimplemented === service))
      .map((service) => `no rule is broken by a daemon without ${service}: add broken.unimplemented to one`),
    ...surfaces
      .filter((surface) => !has(({ broken }) => broken?.leak?.includes(surface) === true))
      .map((surface) => `no rule is broken by a secret in ${surface}: add broken.leak to one`),
    ...(has(({ broken }) => broken?.malformed === true)
      ? []
      : ["no rule is broken by a malformed answer: add broken.malformed to one"]),
    ...(has(({ shown }) => shown?.by === "log") ? [] : ["no rule is shown by the log: add {by: log} to one"]),
  ].map((text) => `proto/cases: ${text}`);
}
