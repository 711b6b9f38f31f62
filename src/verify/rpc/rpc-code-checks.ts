import { loadExports } from "../../base/load-exports.js";
import { callsOf } from "../../contract/calls.js";
import type { CallStep, Check } from "../../contract/check.js";
import type { RpcCase } from "../../contract/rpc/cases.js";
import type { RpcContract } from "../../contract/rpc/contract.js";
import { findShowableRules, namedRules } from "../../contract/rpc/evidence.js";
import { idOf, rpcCaseCheck } from "./case-check.js";
import type { RpcCodeCheck } from "./define-rpc-check.js";

/** A check in code with what it takes from its case. Its steps are those of the case, and a call of each further RPC that it names. */
export interface LoadedRpcCheck
  extends Omit<RpcCodeCheck, "operation" | "summary" | "rules" | "calls">,
    Pick<Check, "kind" | "operation" | "summary" | "rules" | "steps"> {
  /** The case whose place it takes. */
  readonly example?: RpcCase;
}

/** The checks in code of a contract. */
export async function rpcChecksOf(contract: RpcContract): Promise<LoadedRpcCheck[]> {
  const checks = (await loadExports(contract.checks)).filter(isCheck);
  const taken = new Set(checks.flatMap(({ rules = [] }) => rules));
  return checks.map(({ calls = [], ...check }) => {
    const example = contract.cases.find((one) => idOf(one) === check.id);
    const { operation = example?.rpc ?? "", summary = example?.summary ?? "" } = check;
    const rules = check.rules ?? (example === undefined ? [] : rulesOf(example, contract, taken));
    const own = example === undefined ? [] : rpcCaseCheck(example, contract).steps;
    const known = new Set(callsOf({ steps: own }).map(({ call }) => call));
    const steps = [...own, ...calls.filter((rpc) => !known.has(rpc)).map(bareCall)];
    const kind = check.id.startsWith("workflow ") ? "workflow" : "case";
    return { ...check, kind, operation, summary, rules, steps, example };
  });
}

function bareCall(rpc: string): CallStep {
  return { kind: "call", id: rpc, as: "nobody", call: rpc, with: {}, expect: [{ status: "ok" }] };
}

function rulesOf(one: RpcCase, contract: RpcContract, taken: ReadonlySet<string>): string[] {
  const showable = new Set(findShowableRules(one, contract));
  return namedRules(one, contract.rules).flatMap(({ id, shown }) =>
    showable.has(id) || (shown?.by === "check" && !taken.has(id)) ? id : [],
  );
}

function isCheck(value: unknown): value is RpcCodeCheck {
  return typeof value === "object" && value !== null && "run" in value;
}
