import type { DaemonCase, DaemonRule } from "../../contract/daemon/cases.js";
import { findShowableRules } from "../../contract/daemon/evidence.js";
import { methodOf } from "../../contract/daemon/rpcs.js";

/** The rules that the responses of a case can show. */
export function showableRules(one: DaemonCase, rules: readonly DaemonRule[]): string[] {
  return findShowableRules(one, rules, (rpc) => methodOf(rpc).output);
}
