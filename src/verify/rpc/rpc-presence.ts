import type { DaemonCase } from "../../contract/rpc/cases.js";
import type { CheckToRun } from "../create-selection.js";
import type { CheckResult } from "../model/check-result.js";
import type { ReportedOperation } from "../model/verify-report.js";
import type { Presence } from "../run/presence.js";
import { reportedOperations } from "../run/reported-operations.js";
import type { Answer, CallDaemon } from "./answer.js";

/** Notes which RPCs a daemon has. */
export interface RpcPresence {
  /** Returns the same call, whose responses are noted. */
  readonly watch: (call: CallDaemon) => CallDaemon;
  /** What the report says of the RPCs that were called; `checks` are those of the run. */
  readonly operations: (cases: readonly DaemonCase[], checks: readonly CheckToRun[]) => ReportedOperation[];
}

/** Creates the notes of a run. A daemon does not have an RPC if it answers all calls of it with `unimplemented`. */
export function createRpcPresence(): RpcPresence {
  const presence = new Map<string, Presence>();
  const note = (rpc: string, answer: Answer) => {
    if (presence.get(rpc)?.kind === "there") return;
    if (answer.kind === "error" && answer.code === "unimplemented")
      presence.set(rpc, { kind: "not-implemented", why: "code unimplemented" });
    else if (answer.kind !== "unreachable" && answer.kind !== "timeout") presence.set(rpc, { kind: "there" });
    else if (!presence.has(rpc)) presence.set(rpc, { kind: "unknown" });
  };
  return {
    watch: (call) => async (rpc, request, form) => {
      const answer = await call(rpc, request, form);
      note(rpc, answer);
      return answer;
    },
    operations: (cases, checks) => reportedOperations(rpcsOf(cases), presence, checks),
  };
}

/** The RPCs of cases, each with the rules that only its cases show. */
function rpcsOf(cases: readonly DaemonCase[]): Pick<ReportedOperation, "id" | "title" | "rules">[] {
  const rpcsByRule = new Map<string, Set<string>>();
  for (const { rule, also = [], rpc } of cases)
    for (const id of [rule, ...also]) rpcsByRule.set(id, new Set([...(rpcsByRule.get(id) ?? []), rpc]));
  return [...new Set(cases.map(({ rpc }) => rpc))].map((rpc) => ({
    ...{ id: rpc, title: rpc },
    rules: [...rpcsByRule].flatMap(([id, rpcs]) => (rpcs.size === 1 && rpcs.has(rpc) ? id : [])),
  }));
}

/** Adds to the skipped checks which of the RPCs that they call the daemon does not have. */
export function withNeeds(checks: readonly CheckResult[], operations: readonly ReportedOperation[]): CheckResult[] {
  const missing = operations.filter(({ presence }) => presence === "not-implemented");
  return checks.map((check): CheckResult => {
    const lacking = missing.filter((operation) => operation.checks.includes(check.id)).map(({ id }) => id);
    if (check.outcome.kind !== "skipped" || lacking.length === 0) return check;
    return { ...check, outcome: { ...check.outcome, need: { kind: "operation", operations: lacking } } };
  });
}
