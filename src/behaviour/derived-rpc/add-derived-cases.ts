import { stringify } from "yaml";
import type { RpcCase, RpcRule } from "../../contract/rpc/cases.js";
import { impliedRuleId, type RpcContract } from "../../contract/rpc/contract.js";
import { deriveRpcCases } from "./derive-rpc-cases.js";
import { contextOf } from "./make-rpc-thing.js";
import { type RpcDerivedKind, rpcDerivedRule, rpcDerivedRules } from "./rpc-derived-rules.js";
import { rpcProbes } from "./rpc-probes.js";

/** Whether a contract leaves the rules about responses to us. One that states them says all that its servers must do. */
function hasImpliedRules({ methods, rules }: RpcContract): boolean {
  const ids = new Set(rules.map(({ id }) => id));
  return methods.some(({ rpc }) => ids.has(impliedRuleId(rpc)));
}

/** Adds the cases that follow from the messages of a contract, except those whose rules or names are already taken. */
export function withDerivedCases(contract: RpcContract): RpcContract {
  if (!hasImpliedRules(contract)) return contract;
  const context = contextOf(contract);
  const written = new Set(contract.rules.map(({ id }) => id));
  const found = [
    ...context.all.flatMap((resource) => deriveRpcCases(context, resource)),
    ...contract.methods.flatMap((one) => rpcProbes(context, one)),
  ];
  const cases = found.filter(({ rule, derived }) => derived?.kind === "probe" || !written.has(rule));
  return {
    ...contract,
    rules: [...contract.rules, ...rulesOf(cases, written)],
    cases: [...contract.cases, ...unique(cases)],
  };
}

function unique(cases: readonly RpcCase[]): RpcCase[] {
  return [...new Map(cases.map((one) => [one.name, one])).values()];
}

/** The rules of derived cases, each once. */
function rulesOf(cases: readonly RpcCase[], written: ReadonlySet<string> = new Set()): RpcRule[] {
  const ids = new Set(cases.map(({ rule }) => rule).filter((id) => !written.has(id)));
  return [...ids].flatMap((id) => {
    const [name = "", kind = ""] = id.split(".");
    return kind in rpcDerivedRules ? rpcDerivedRule({ name }, kind as RpcDerivedKind) : [];
  });
}

/** The workflows that follow from the messages of a contract, as files of `cases/` by their names, with comments that say why. */
export function derivedCaseFiles(contract: RpcContract): Map<string, string> {
  const context = contextOf(contract);
  const written = new Set(contract.rules.map(({ id }) => id));
  return new Map(
    context.all.flatMap((resource): [string, string][] => {
      const cases = unique(deriveRpcCases(context, resource).filter(({ rule }) => !written.has(rule)));
      const why = resource.reasons.map((reason) => `# ${reason}.\n`).join("");
      if (cases.length === 0) return [];
      const content = { rules: rulesOf(cases), cases: cases.map(({ derived: _, ...one }) => one) };
      return [[`${resource.name}.yaml`, `${why}${stringify(content, { lineWidth: 0, aliasDuplicateObjects: false })}`]];
    }),
  );
}
