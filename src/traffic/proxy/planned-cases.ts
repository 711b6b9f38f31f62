import { nearestNames } from "../../contract/nearest-names.js";

/** The cases with which a proxy responds instead of the server, once for each time that a test asks for one. */
export interface PlannedCases {
  /** Plans the response of a case, such as `unsubscribe/unknown_channel`, to the next call of its operation. Returns any problem. */
  readonly plan: (name: unknown) => string | undefined;
  /** Whether any case is planned. */
  readonly hasAny: () => boolean;
  /** Takes the name of the case that is planned next for an operation. */
  readonly take: (operation: string) => string | undefined;
}

/** Further planned cases are refused. */
export const maxPlanned = 1_000;

/** Creates the planned cases of one proxy. `names` are all cases, such as `unsubscribe/unknown_channel`; `form` says how to write one. */
export function createPlannedCases(names: readonly string[], form: string): PlannedCases {
  const planned: string[] = [];
  return {
    plan: (name) => {
      if (typeof name !== "string") return 'Send an object such as {"case": "<operation>/<case>"}';
      if (!names.includes(name)) return unknownCase(name, names, form);
      if (planned.length >= maxPlanned)
        return `${maxPlanned} responses are planned already, and no call has taken them`;
      planned.push(name);
      return undefined;
    },
    hasAny: () => planned.length > 0,
    take: (operation) => {
      const at = planned.findIndex((name) => name.startsWith(`${operation}/`));
      return at < 0 ? undefined : planned.splice(at, 1)[0];
    },
  };
}

function unknownCase(name: string, names: readonly string[], form: string): string {
  const [operation = ""] = name.split("/", 1);
  const ofOperation = names
    .filter((one) => one.startsWith(`${operation}/`))
    .map((one) => one.slice(operation.length + 1));
  if (ofOperation.length > 0) return `${operation} has no case of this name. Its cases: ${ofOperation.join(", ")}`;
  const nearest = nearestNames(name, names);
  const hint = nearest.length === 0 ? "" : ` Similar cases: ${nearest.join(", ")}`;
  return `The contract has no case ${name.slice(0, 200)}; write it as ${form}.${hint}`;
}
