import type { Case } from "../../../contract/chat/cases.js";
import { needsStates } from "../states/case-setup.js";
import type { Expectation, Probe } from "./probe.js";
import type { ProbedOperation, ProbedParameter } from "./probed-operation.js";

/** What a probe of an operation says, without what follows from the operation. */
export type ProbeNotes = Pick<Probe, "summary" | "base" | "change" | "expectation"> & {
  readonly name: string;
  readonly rules?: readonly string[];
  /** Defaults to whether the base needs them. */
  readonly states?: boolean;
};

/** A probe of an operation. Rules that do not hold in the view are left out. */
export function makeProbe(operation: ProbedOperation, { name, rules = [], states, ...notes }: ProbeNotes): Probe {
  const { operationId } = operation;
  return {
    id: `probe ${operationId}/${name}`,
    operationId,
    rules: rules.filter((rule) => operation.rules.has(rule)),
    states: states ?? needsStates(notes.base),
    ...notes,
  };
}

/** The cases whose requests succeed, in the order of the contract. */
export function successesOf({ cases }: ProbedOperation): Case[] {
  return cases.filter(({ response, open }) => response.status < 300 && open === undefined);
}

/** The success to change a parameter of: one that sends it, else the first. Undefined when no case of the operation succeeds. */
export function successWith(operation: ProbedOperation, { name }: Pick<ProbedParameter, "name">): Case | undefined {
  const successes = successesOf(operation);
  return successes.find((one) => sentValue(one, name) !== undefined) ?? successes[0];
}

/** The decoded value of a parameter in the request of a case. */
export function sentValue({ request: { path, query, header, body } }: Pick<Case, "request">, name: string): unknown {
  return [path, query, header, body ?? {}].find((values) => Object.hasOwn(values, name))?.[name];
}

/** What the cases of a rule promise of its refusal; a refusal of any kind when they leave it open, or there is none. */
export function refusalOf({ cases }: ProbedOperation, rule: string): Expectation {
  const shown = cases.find((one) => one.response.status >= 400 && [one.rule, ...one.also].includes(rule));
  const body = shown?.response.body;
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
  if (shown === undefined || shown.open !== undefined || typeof code !== "string") return { kind: "refused-some-way" };
  return { kind: "refused", status: shown.response.status, code };
}

/** The part of a rule's id that stands for a name: `stream_id` gives `stream-id`. */
export function kebab(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();
}
