/** A workflow as written in `openapi/behaviour`; `openapi/behaviour/README.md` explains each key. */
export interface WorkflowSource {
  readonly summary: string;
  /** Rules that the workflow shows as a whole, beyond those of its steps. */
  readonly rules?: readonly string[];
  readonly "relies-on"?: readonly string[];
  readonly as: Caller;
  readonly given?: readonly (string | SetupSource)[];
  readonly default?: DefaultCall;
  readonly steps: readonly (SetupSource | CallSource)[];
}

/** All rules that a workflow shows: its own, then those of its steps. */
export function rulesOf({ rules = [], steps }: WorkflowSource): string[] {
  return [...new Set([...rules, ...steps.flatMap((step) => step.rules ?? [])])];
}

/** A name from `x-callers`, `nobody`, or other credentials. */
export type Caller = string | { readonly email: string; readonly api_key: string };

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
  readonly expect?: Omit<Expectation, "status">;
  readonly outputs?: Readonly<Record<string, string>>;
}

/** A step that calls an operation. */
export interface CallSource {
  readonly id: string;
  readonly use?: string;
  readonly call?: string;
  readonly as?: Caller;
  readonly rules?: readonly string[];
  /** JSON pointers into the body. The step shows its rules only if each points to a value. */
  readonly shown?: readonly string[];
  readonly with?: Readonly<Record<string, unknown>>;
  /** Headers beyond those of the operation. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields that the operation lacks. */
  readonly unknown?: Readonly<Record<string, unknown>>;
  readonly expect?: Expectation;
  readonly outputs?: Readonly<Record<string, string>>;
}

/** The call of the steps that name no state, operation or component. */
export type DefaultCall = Pick<CallSource, "use" | "call" | "with" | "expect">;

/** The expected response. Every other key is a JSON pointer into the body, with the expected value. */
export interface Expectation {
  /** A status, `4XX` for any refusal, or `any`. Defaults to 200. */
  readonly status?: number | "4XX" | "any";
  /** JSON pointers to values that must be absent. */
  readonly absent?: readonly string[];
  /** JSON pointers to values that must be neither absent nor null. */
  readonly present?: readonly string[];
  /** Regular expressions that texts must match, by JSON pointer. */
  readonly matches?: Readonly<Record<string, string>>;
  /** Arazzo criteria: a simple condition as a string, any other as an object. */
  readonly criteria?: readonly (string | Criterion)[];
  readonly [pointer: string]: unknown;
}

/** A criterion object of Arazzo 1.0.1. */
export interface Criterion {
  readonly condition: string;
  readonly context?: string;
  readonly type?: string;
}

/** A part of a step, shared by several workflows. */
export type Component =
  | { readonly description: string; readonly state: string; readonly params?: Readonly<Record<string, unknown>> }
  | { readonly description: string; readonly call: string; readonly with?: Readonly<Record<string, unknown>> };
