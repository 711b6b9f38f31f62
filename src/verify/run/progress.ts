import { randomBytes } from "node:crypto";
import type { Check, Step } from "../../contract/check.js";
import { valueAt } from "../../contract/json-pointer.js";
import type { Exchange, LostRequest } from "../../judge/exchange.js";
import type { Scope } from "../../judge/expressions.js";
import type { Need } from "../../report/model/check-result.js";
import type { SetupFailure } from "./setup-failure.js";

/** Why the steps of a check ended early. */
export type End =
  | {
      readonly kind: "broken";
      readonly problems: readonly string[];
      readonly isForbidden: boolean;
      readonly letThrough: boolean;
      /** The broken rules. Defaults to those of the step. */
      readonly rules?: readonly string[];
    }
  /** The server lacks something optional, so that the rest of the check shows nothing; or the check cannot run. */
  | SetupFailure
  | {
      readonly kind: "not-shown";
      readonly reason: string;
      readonly need?: Need;
      readonly lost?: LostRequest;
      /** The rules that the response shows all the same. Defaults to none. */
      readonly shown?: readonly string[];
    };

/** A recommendation that a response does not follow. */
export interface Deviation {
  readonly rule: string;
  readonly problem: string;
}

/** What the steps so far have left. */
export interface CheckProgress {
  readonly values: Map<string, Readonly<Record<string, unknown>>>;
  readonly exchanges: Map<string, Exchange>;
  readonly deviations: Deviation[];
  /** The rules that a step does not show although it passed, with the reason. */
  readonly hidden: Map<string, string>;
  /** The rules that a read before and after a refused request shows. */
  readonly readBack: Set<string>;
  credentials: Readonly<Record<string, unknown>>;
  /** How many requests there were when the last deviation was found: those after it do not explain it. */
  requestsToDeviation?: number;
}

/** What there is before the first step. */
export function noProgress(): CheckProgress {
  return {
    values: new Map([["unique", { word: uniqueWord() }]]),
    exchanges: new Map(),
    deviations: [],
    hidden: new Map(),
    readBack: new Set(),
    credentials: {},
  };
}

/** Eight letters that no other check has. Lower case, because servers may fold names and addresses. */
function uniqueWord(): string {
  return Array.from(randomBytes(8), (byte) => String.fromCharCode(97 + (byte % 26))).join("");
}

/** Finds the values that expressions refer to. */
export function scopeOf({ values, credentials }: CheckProgress): Scope {
  return ([head = "", ...rest]) => {
    const root = head === "credentials" ? credentials : values.get(head);
    return valueAt(root, rest.map((key) => `/${key}`).join(""));
  };
}

/** Notes that a step passed without showing its rules. */
export function hide(check: Check, step: Step, reason: string, { hidden }: CheckProgress): void {
  for (const rule of rulesOfStep(check, step)) hidden.set(rule, reason);
}

/** The rules that a step is about: those that it names, or else those of the check that no step names. */
export function rulesOfStep(check: Check, { rules = unnamedRules(check) }: Step): readonly string[] {
  return rules;
}

/** The rules that no step names. Those about the status of a refusal are judged by that status alone. */
function unnamedRules({ rules, steps }: Check): string[] {
  const named = new Set(flat(steps).flatMap((step) => [...(step.rules ?? []), ...claimed(step), ...recommended(step)]));
  return rules.filter((rule) => !named.has(rule));
}

/** The rules that expectations of a step name. */
export function claimed(step: Step): string[] {
  return step.kind === "call" ? step.expect.flatMap(({ rules = [] }) => rules) : [];
}

function recommended(step: Step): string[] {
  return step.kind === "call" ? step.expect.flatMap(({ recommendedBy = [] }) => recommendedBy) : [];
}

/** Steps, with those that run in parallel. */
export function flat(steps: readonly Step[]): Step[] {
  return steps.flatMap((step): Step[] => (step.kind === "parallel" ? [step, ...step.steps] : [step]));
}

/** What a problem begins with: in a workflow, the step. */
export function nameOf({ kind }: Check, { id }: Step): string {
  return kind === "workflow" ? `step ${id}: ` : "";
}
