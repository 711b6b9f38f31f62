import { callsOf } from "../../contract/calls.js";
import type { CallStep, Check } from "../../contract/check.js";
import type { CheckOutcome } from "../../report/model/check-result.js";
import { type Degree, includesDegree } from "../../report/model/degree.js";
import { createOperationMatcher } from "../create-selection.js";
import { isSafe } from "../http/call-http.js";
import { degreeOf, type Effect, effectOf, excludedOutcome, type Permission, withheldOutcome } from "./permission.js";
import { presenceCheck } from "./presence-check.js";
import { httpMethodOf, type RunOperation } from "./removals.js";
import { needsStates, withoutStates } from "./run-steps.js";

/** Decides what a run sends, before it sends anything. */
export interface Gate extends Permission {
  /** Whether the server has provider states, so that nothing on it matters. */
  readonly hasStates: boolean;
  /** The outcome of a check that is not sent, by its id and, if it has any, its steps. Undefined if it may be sent. */
  readonly withheld: (id: string, check: Check | undefined) => CheckOutcome | undefined;
  /** Whether an operation is not asked for. */
  readonly isExcluded: (operation: Pick<RunOperation, "operationId" | "title">) => boolean;
  /** Why a request must not leave, whatever asked for it. Undefined if it may. `isRaw`: no operation describes it. */
  readonly refuse: (method: string, url: string, isRaw: boolean) => string | undefined;
  /** The part of a run in which a check or an operation has its turn. */
  readonly effectOfCheck: (check: Check) => Effect;
  readonly effectOfOperation: (operation: RunOperation) => Effect;
}

/** What a gate knows of the run. */
export interface GateOptions extends Permission {
  readonly exclude: readonly string[];
  /** The exclusion that a check falls under. */
  readonly exclusionOf: (id: string) => string | undefined;
  /** The path of the API. */
  readonly basePath: string;
  readonly hasStates: boolean;
  /** Whether there are callers, by provider states or accounts. */
  readonly hasCallers: boolean;
}

/** Creates the gate of a run. */
export function createGate({
  exclude,
  exclusionOf,
  basePath,
  hasStates,
  hasCallers,
  ...permission
}: GateOptions): Gate {
  const { degree, operations } = permission;
  const matches = createOperationMatcher(exclude);
  const isClosed: Gate["isExcluded"] = ({ operationId: id, title }) => matches({ id, title });
  const closed = [...operations.values()].filter(isClosed).map(({ method, path }) => ({
    method,
    path: patternOf(`${basePath}${path}`),
  }));
  const effectOfOperation: Gate["effectOfOperation"] = ({ method, operationId, path }) =>
    hasStates ? 0 : effectOf(method, operationId, path);
  const effectOfCall = (call: CallStep): Effect => {
    const method = httpMethodOf(call, operations);
    const operation = operations.get(call.call ?? "");
    if (operation === undefined) return effectOf(method, call.request?.url ?? "");
    // One that is sent with another method waits until it is known whether the server has the operation.
    return Math.max(effectOf(method), effectOfOperation(operation)) as Effect;
  };
  return {
    ...permission,
    hasStates,
    isExcluded: (operation) =>
      isClosed(operation) || exclusionOf(presenceCheck(operation.operationId).id) !== undefined,
    withheld: (id, check) => {
      const exclusion = exclusionOf(id);
      if (exclusion !== undefined) return excludedOutcome(exclusion);
      // What they need tells more than what they do.
      if (!hasCallers && (check === undefined || needsStates(check))) return withoutStates.outcome;
      const needed: Degree = check === undefined ? "everything" : degreeOf(check, permission);
      return includesDegree(degree, needed) ? undefined : withheldOutcome(needed);
    },
    refuse: (method, url, isRaw) => {
      const { pathname } = new URL(url);
      if (isRaw && closed.some((one) => one.method === method.toUpperCase() && one.path.test(pathname)))
        return "a request would call an excluded operation";
      return degree === "reads" && !isSafe(method) ? `the run may only read, but a request is a ${method}` : undefined;
    },
    effectOfCheck: (check) => {
      // Each has an organization of its own.
      if (hasStates && needsStates(check)) return 0;
      return Math.max(0, ...callsOf(check).map(effectOfCall)) as Effect;
    },
    effectOfOperation,
  };
}

function patternOf(template: string): RegExp {
  const parts = template.split(/\{[^{}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^/]+")}/?$`);
}
