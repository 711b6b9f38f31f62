import type { Bytes, Caller, Output, RequestTo } from "../contract/check.js";
import type { Matcher } from "../contract/matcher.js";

/** A workflow as written in `openapi/behaviour`; `openapi/behaviour/README.md` explains each key. */
export interface WorkflowSource {
  readonly summary: string;
  /** Rules that the workflow shows as a whole, beyond those of its steps. */
  readonly rules?: readonly string[];
  readonly "relies-on"?: readonly string[];
  readonly "known-levels-only"?: boolean;
  readonly "leaves-nothing"?: boolean;
  readonly as: Caller;
  readonly given?: readonly (string | SetupSource)[];
  readonly default?: DefaultCall;
  readonly steps: readonly (SetupSource | CallSource)[];
}

/** All rules that a workflow shows: its own, then those of its steps. */
export function rulesOf({ rules = [], steps }: WorkflowSource): string[] {
  return [...new Set([...rules, ...steps.flatMap((step) => step.rules ?? [])])];
}

/** A step that sets up a provider state. */
export interface SetupSource {
  readonly id?: string;
  readonly use?: string;
  readonly state?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Whether to set up the state in a new organization. */
  readonly fresh?: boolean;
  readonly rules?: readonly string[];
  /** The values that the server must return for the state. */
  readonly expect?: Readonly<Record<string, Matcher>>;
}

/** A step that calls an operation or a URL, or several operations at the same time. */
export interface CallSource {
  readonly id: string;
  readonly use?: string;
  readonly call?: string;
  readonly request?: RequestTo;
  readonly parallel?: readonly CallSource[];
  readonly as?: Caller;
  readonly rules?: readonly string[];
  readonly precondition?: boolean;
  /** How many seconds a read has to become as expected. */
  readonly within?: number;
  readonly with?: Readonly<Record<string, unknown>>;
  /** Headers beyond those of the operation, or the name of an object with them. */
  readonly headers?: Readonly<Record<string, unknown>> | string;
  /** Fields that the operation lacks. */
  readonly unknown?: Readonly<Record<string, unknown>>;
  readonly expect?: ExpectationSource;
  readonly outputs?: Readonly<Record<string, Output>>;
}

/** The call of the steps that name no state, operation or component. */
export type DefaultCall = Pick<CallSource, "use" | "call" | "with" | "expect">;

/** The expected response. Every other key is a JSON pointer into the body, with the expected value. */
export interface ExpectationSource {
  /** A status, `4XX` for any refusal, `any`, or a matcher. Defaults to 200. */
  readonly status?: number | "4XX" | "any" | Matcher;
  readonly headers?: Readonly<Record<string, Matcher>>;
  readonly bytes?: Bytes;
  readonly [pointer: string]: unknown;
}

/** A part of a step, shared by several workflows. */
export type Component =
  | { readonly description: string; readonly state: string; readonly params?: Readonly<Record<string, unknown>> }
  | { readonly description: string; readonly call: string; readonly with?: Readonly<Record<string, unknown>> };
