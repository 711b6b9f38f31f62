import type { Case } from "../../../contract/chat/cases.js";
import type { ShownBy } from "../../../contract/chat/rule.js";
import { needsStates } from "../states/case-setup.js";
import type { ProbedOperation, ProbedParameter } from "./probed-operation.js";

/** A request derived from the contract, with the outcome that the contract fixes for it. */
export interface Probe {
  /** Unique and stable between runs: `probe <operationId>/<name>`. */
  readonly id: string;
  readonly operationId: string;
  /** The rules that it shows. Empty if no rule of the contract states exactly this. */
  readonly rules: readonly string[];
  /**
   * The recommendations that it relies on: those of its base, and of the part of the contract that it is derived from.
   */
  readonly reliesOn: readonly string[];
  /** The request in a phrase. */
  readonly summary: string;
  /** The case whose request is changed. With `states` it is a correct request, which succeeds in the states of the case. */
  readonly base: Case;
  /** Whether the probe needs the states of the base and its caller. If false, it sends the contract's examples without credentials. */
  readonly states: boolean;
  readonly change: RequestChange;
  readonly expectation: Expectation;
}

/** A change to a correct request. Texts are values before percent-encoding. */
export type RequestChange =
  | { readonly kind: "none" }
  | { readonly kind: "omit"; readonly parameter: string }
  | { readonly kind: "replace"; readonly parameter: string; readonly text: string }
  | { readonly kind: "repeat"; readonly parameter: string }
  | { readonly kind: "move-to-query"; readonly parameter: string }
  | { readonly kind: "add-unknown"; readonly parameters: Readonly<Record<string, string>> }
  /** Sends the same fields as `multipart/form-data`. */
  | { readonly kind: "as-multipart" }
  | { readonly kind: "content-type"; readonly value: string }
  /** Sends a body that is not a form, byte for byte. */
  | { readonly kind: "raw-body"; readonly type: string; readonly body: string }
  | { readonly kind: "method"; readonly method: string }
  /** Sends `authorization` verbatim, or no credentials if it is undefined. */
  | { readonly kind: "authorization"; readonly authorization?: string }
  /** Sends the e-mail address of the caller with an invalid key. */
  | { readonly kind: "wrong-key" }
  | { readonly kind: "caller"; readonly caller: string }
  /** Sends the value that the parameter has in another organization with the same states. */
  | { readonly kind: "foreign"; readonly parameter: string }
  /** Sends many random correct requests. */
  | { readonly kind: "random-requests" }
  /** Sends many correct requests with one random invalid value each. */
  | { readonly kind: "random-violations" };

/** The parts of the response that the contract fixes, besides the schema of its status and code. */
export type Expectation =
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly code: string;
      /** The rule that recommends the status, as in a case. */
      readonly recommendedBy?: string;
    }
  /** An error in the envelope with any status from 400. */
  | { readonly kind: "refused-some-way" }
  /** The same, or a response without an endpoint at this path: a router may reject the value of a path parameter. */
  | { readonly kind: "refused-or-not-found" }
  | { readonly kind: "succeeds" }
  /**
   * Success; `ignored_parameters_unsupported` contains these names, and none that the operation supports. A success without them breaks
   * the rules in `listing`, and a refusal the other rules of the probe.
   */
  | { readonly kind: "ignored"; readonly parameters: readonly string[]; readonly listing: readonly string[] }
  /** Any response that the contract allows. */
  | { readonly kind: "any" }
  /** The contract does not list this request; it fixes only that the server does not fail. */
  | { readonly kind: "unlisted" };

/** The parts of a probe that do not follow from its operation. */
export type ProbeNotes = Pick<Probe, "summary" | "base" | "change" | "expectation"> & {
  readonly name: string;
  /** Defaults to none. */
  readonly rules?: readonly string[];
  /** Besides those of the base. Defaults to none. */
  readonly reliesOn?: readonly string[];
  /** Defaults to whether the base needs them. */
  readonly states?: boolean;
};

/** Creates a probe of an operation. */
export function makeProbe(
  operation: ProbedOperation,
  { name, rules = [], reliesOn = [], states, ...notes }: ProbeNotes,
): Probe {
  const { operationId } = operation;
  return {
    id: `probe ${operationId}/${name}`,
    operationId,
    rules,
    states: states ?? needsStates(notes.base),
    ...notes,
    reliesOn: [...new Set([...(notes.base.reliesOn ?? []), ...reliesOn, ...reliedOnBy(operation, rules)])],
  };
}

/** Finds the rules that a kind of probe shows for an operation, general ones first. */
export function rulesShownBy({ rules }: ProbedOperation, kind: ShownBy["kind"]): string[] {
  return rules.filter((rule) => rule["shown-by"]?.kind === kind).map(({ id }) => id);
}

/** The recommendations that the probes of these rules rely on. */
function reliedOnBy({ rules }: ProbedOperation, shown: readonly string[]): string[] {
  return rules.flatMap(({ id, "shown-by": shownBy }) => (shown.includes(id) ? (shownBy?.["relies-on"] ?? []) : []));
}

/** The cases whose requests succeed, in the order of the contract. */
export function successesOf({ cases }: ProbedOperation): Case[] {
  return cases.filter(({ response, open }) => response.status < 300 && open === undefined);
}

/** The success in which to change a parameter: one that sends it, else the first. Undefined if no case of the operation succeeds. */
export function successWith(operation: ProbedOperation, { name }: Pick<ProbedParameter, "name">): Case | undefined {
  const successes = successesOf(operation);
  return successes.find((one) => sentValue(one, name) !== undefined) ?? successes[0];
}

/** The decoded value of a parameter in the request of a case. */
export function sentValue({ request: { path, query, header, body } }: Pick<Case, "request">, name: string): unknown {
  return [path, query, header, body ?? {}].find((values) => Object.hasOwn(values, name))?.[name];
}

/**
 * The refusal that the cases of these rules expect. Any refusal if there is no such case or it leaves the refusal open.
 */
export function expectedRefusal({ cases }: ProbedOperation, rules: readonly string[]): Expectation {
  const isShown = (one: Case) => [one.rule, ...one.also].some((rule) => rules.includes(rule));
  const shown = cases.find((one) => one.response.status >= 400 && isShown(one));
  const body = shown?.response.body;
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
  if (shown === undefined || shown.open !== undefined || typeof code !== "string") return { kind: "refused-some-way" };
  const { response, recommendedBy } = shown;
  return { kind: "refused", status: response.status, code, ...(recommendedBy === undefined ? {} : { recommendedBy }) };
}
