import type { DaemonCase, DaemonRule } from "../../contract/rpc/cases.js";
import { findShowableRules } from "../../contract/rpc/evidence.js";
import { methodOf } from "../../contract/rpc/rpcs.js";

/** The rules that the responses of a case can show. */
export function showableRules(one: DaemonCase, rules: readonly DaemonRule[]): string[] {
  return findShowableRules(one, rules, (rpc) => methodOf(rpc).output);
}
