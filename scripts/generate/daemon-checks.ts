import type { CaseFile } from "../../src/contract/rpc/case-files.js";
import type { RpcProbes, RpcRule } from "../../src/contract/rpc/cases.js";
import type { Problem } from "../../src/contract/yaml-source.js";

const probeKinds: readonly (keyof RpcProbes)[] = ["reach", "fetch", "refusal"];

/**
 * Describes each check of `accord verify daemon` that has no rule in the contract, or not exactly one RPC. Such a check
 * would show nothing, without any error.
 */
export function missingParts(files: readonly Pick<CaseFile, "rules" | "probes">[], rpcs: readonly string[]): Problem[] {
  const services = [...new Set(rpcs.map((rpc) => rpc.split("/")[0] ?? ""))];
  const rules = files.flatMap((file) => file.rules);
  const has = (test: (rule: RpcRule) => boolean) => rules.some(test);
  return [
    ...probeKinds
      .filter((kind) => files.filter(({ probes = [] }) => probes.includes(kind)).length !== 1)
      .map((kind) => `exactly one file must have the probe ${kind}`),
    ...services
      .filter((service) => !has(({ broken }) => broken?.unimplemented === service))
      .map((service) => `no rule is broken by a daemon without ${service}: add broken.unimplemented to one`),
    ...(has(({ broken }) => broken?.malformed === true)
      ? []
      : ["no rule is broken by a malformed answer: add broken.malformed to one"]),
  ].map((text) => `proto/cases: ${text}`);
}
