import type { RpcCase } from "../../contract/rpc/cases.js";
import type { RpcContract } from "../../contract/rpc/contract.js";
import { findShowableRules, namedRules } from "../../contract/rpc/evidence.js";
import { loadExports } from "../run/load-exports.js";
import { idOf } from "./case-check.js";
import type { RpcCodeCheck, RpcTrafficJudge } from "./define-rpc-check.js";

/** A check in code with what it takes from its case. */
export interface LoadedRpcCheck extends RpcCodeCheck {
  readonly operation: string;
  readonly summary: string;
  readonly rules: readonly string[];
  /** The case whose place it takes. */
  readonly example?: RpcCase;
}

/** The checks in code of a contract. */
export async function rpcChecksOf(contract: RpcContract): Promise<LoadedRpcCheck[]> {
  const checks = (await loadExports(contract.checks)).filter(isCheck);
  const taken = new Set(checks.flatMap(({ rules = [] }) => rules));
  return checks.map((check) => {
    const example = contract.cases.find((one) => idOf(one) === check.id);
    const { operation = example?.rpc ?? "", summary = example?.summary ?? "" } = check;
    const rules = check.rules ?? (example === undefined ? [] : rulesOf(example, contract, taken));
    return { ...check, operation, summary, rules, example };
  });
}

/** The judges in code of the traffic of a contract. */
export async function trafficJudgesOf({ checks }: Pick<RpcContract, "checks">): Promise<RpcTrafficJudge[]> {
  return (await loadExports(checks)).filter(isJudge);
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

function isJudge(value: unknown): value is RpcTrafficJudge {
  return typeof value === "object" && value !== null && "judge" in value;
}
