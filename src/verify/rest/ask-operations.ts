import type { Check } from "../../contract/check.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import { isSafe } from "../http/call-http.js";
import type { AccountPlan } from "../run/account-plan.js";
import type { Gate } from "../run/gate.js";
import { excludedOutcome } from "../run/permission.js";
import { presenceCheck } from "../run/presence-check.js";
import { presenceCandidates } from "./account-run.js";
import { findOperations, type PresenceOptions } from "./operation-presence.js";
import { presenceByOptions } from "./presence-by-options.js";

/** How to ask for operations, and what the run may send. */
export interface AskOptions extends Omit<PresenceOptions, "candidates" | "withoutActing" | "isRestricted"> {
  readonly gate: Gate;
  readonly plan: AccountPlan | undefined;
  /** The checks of an operation that have steps. */
  readonly checksOf: (operationId: string) => readonly Check[];
}

/**
 * Finds out which operations a server has, as far as the run may ask. If it may not do everything, an operation that writes is asked for
 * without acting: by `OPTIONS`, and by requests that can only be refused. One that is excluded is not asked for.
 */
export async function askOperations(
  operations: readonly ProbedOperation[],
  { gate, plan, checksOf, ...options }: AskOptions,
): Promise<void> {
  for (const operation of operations.filter(gate.isExcluded)) {
    const outcome = gate.withheld(presenceCheck(operation.operationId).id, undefined);
    options.onFound(operation, outcome ?? excludedOutcome(operation.operationId), 0);
  }
  const asked = operations.filter((operation) => !gate.isExcluded(operation));
  const isRestricted = gate.degree !== "everything";
  const isCautious = ({ method }: ProbedOperation) => isRestricted && !isSafe(method);
  const basePath = new URL(options.url).pathname.replace(/\/+$/, "");
  const as = plan?.callers.has(plan.plain) ? plan.plain : "nobody";
  const candidates = (operation: ProbedOperation) =>
    presenceCandidates(operation, checksOf(operation.operationId), plan, gate);
  const plain = asked.filter((operation) => !isCautious(operation));
  await findOperations(plain, { ...options, isRestricted, candidates: plan && candidates });
  await findOperations(asked.filter(isCautious), {
    ...{ ...options, isRestricted, candidates, hasAnswered: options.hasAnswered || plain.length > 0 },
    withoutActing: (operation) => presenceByOptions(operation, { ...options, basePath, as }),
  });
}
