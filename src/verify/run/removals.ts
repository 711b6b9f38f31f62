import { callsOf, expectedOf, expectsRefusal } from "../../contract/calls.js";
import type { CallStep, Check } from "../../contract/check.js";
import { expressionsIn } from "../../contract/expressions.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";

/** What a run knows of an operation or an RPC, of whatever contract. */
export type RunOperation = Pick<
  ProbedOperation,
  "operationId" | "title" | "method" | "path" | "needsLogin" | "requiresBody" | "parameters" | "request" | "implied"
>;

/** The operations of a contract by id. */
export type Operations = ReadonlyMap<string, RunOperation>;

/** The HTTP method of a call. */
export function httpMethodOf({ call, sent, request }: CallStep, operations: Operations): string {
  return (sent?.method ?? request?.method ?? operations.get(call ?? "")?.method ?? "POST").toUpperCase();
}

/** The check with the names of its calls that remove what its earlier calls created. */
export function withRemovals(check: Check, operations: Operations): Check {
  const removals = removalsOf(check, operations).map(({ id }) => id);
  return removals.length === 0 ? check : { ...check, removals };
}

/** The calls with `DELETE` to a path that an output of an earlier call identifies. */
function removalsOf(check: Check, operations: Operations): CallStep[] {
  const calls = callsOf(check);
  return calls.filter((call, index) => {
    const earlier = new Set(calls.slice(0, index).map(({ id }) => id));
    const isRemoval = httpMethodOf(call, operations) === "DELETE" && !expectsRefusal(call);
    return isRemoval && namedInPath(call, operations).some((id) => earlier.has(id));
  });
}

/**
 * The ids of the calls that create something that a later call removes. Status 201 says that it is new (RFC 9110, section 15.3.2): what was
 * there before must not be removed.
 */
export function createdAndRemoved(check: Check, operations: Operations): ReadonlySet<string> {
  const removed = new Set(removalsOf(check, operations).flatMap((call) => namedInPath(call, operations)));
  const created = callsOf(check).filter(
    (call) => httpMethodOf(call, operations) === "POST" && expectedOf(call).status === 201,
  );
  return new Set(created.flatMap(({ id }) => (removed.has(id) ? id : [])));
}

/** The ids of the steps whose values are in the path of a call. */
export function namedInPath({ call, with: values, request }: CallStep, operations: Operations): string[] {
  const parameters = operations.get(call ?? "")?.parameters ?? [];
  const inPath = parameters.flatMap(({ place, name }) => (place === "path" ? [values[name]] : []));
  return expressionsIn([request?.url, ...inPath]).map((expression) => expression.split(".")[0] ?? "");
}
