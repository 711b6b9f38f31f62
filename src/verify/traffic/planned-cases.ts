import { nearestNames } from "../report/nearest-names.js";
import type { EndpointAnswer } from "./own-endpoints.js";

/** The cases with which a proxy responds instead of the server, once for each time that a test asks for one. */
export interface PlannedCases {
  /** Plans the response of a case, such as `unsubscribe/unknown_channel`, to the next call of its operation. Returns any problem. */
  readonly plan: (name: string) => string | undefined;
  /** Whether any case is planned. */
  readonly hasAny: () => boolean;
  /** Takes the name of the case that is planned next for an operation. */
  readonly take: (operation: string) => string | undefined;
}

/** Further planned cases are refused. */
const maxPlanned = 1_000;

/** Creates the planned cases of one proxy. `names` are all cases, such as `unsubscribe/unknown_channel`; `form` says how to write one. */
export function createPlannedCases(names: readonly string[], form: string): PlannedCases {
  const known = new Set(names);
  const planned = new Map<string, string[]>();
  let count = 0;
  return {
    plan: (name) => {
      if (!known.has(name)) return unknownCase(name, names, form);
      if (count >= maxPlanned) return `${maxPlanned} responses are planned already, and no call has taken them`;
      const operation = operationOf(name);
      planned.set(operation, [...(planned.get(operation) ?? []), name]);
      count++;
      return undefined;
    },
    hasAny: () => count > 0,
    take: (operation) => {
      const next = planned.get(operation)?.shift();
      if (next !== undefined) count--;
      return next;
    },
  };
}

/** Answers `POST /accord/next`, whose body looks like `{"case": "unsubscribe/unknown_channel"}`. */
export function planNext(
  planned: PlannedCases,
  body: unknown,
  answers: { readonly success: object; readonly error: (msg: string) => object },
): EndpointAnswer {
  const name: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "case") : undefined;
  const problem =
    typeof name === "string" ? planned.plan(name) : 'Send an object such as {"case": "<operation>/<case>"}';
  return problem === undefined ? { status: 200, body: answers.success } : { status: 400, body: answers.error(problem) };
}

function operationOf(name: string): string {
  return name.split("/", 1)[0] ?? "";
}

function unknownCase(name: string, names: readonly string[], form: string): string {
  const operation = operationOf(name);
  const ofOperation = names
    .filter((one) => operationOf(one) === operation)
    .map((one) => one.slice(operation.length + 1));
  if (ofOperation.length > 0) return `${operation} has no case of this name. Its cases: ${ofOperation.join(", ")}`;
  const nearest = nearestNames(name, names);
  const hint = nearest.length === 0 ? "" : ` Similar cases: ${nearest.join(", ")}`;
  return `The contract has no case ${name.slice(0, 200)}; write it as ${form}.${hint}`;
}
