/** A workflow as `openapi/behaviour` has it; `openapi/README.md` explains each key. */
export interface WorkflowSource {
  readonly summary: string;
  readonly rules: readonly string[];
  readonly as: Caller;
  readonly given?: readonly (string | SetupSource)[];
  readonly steps: readonly (SetupSource | CallSource)[];
}

/** A name from `x-callers`, `nobody`, or other credentials. */
export type Caller = string | { readonly email: string; readonly api_key: string };

/** A step that sets a provider state up. */
export interface SetupSource {
  readonly id?: string;
  readonly use?: string;
  readonly state?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Whether the state belongs to another organization than those before it. */
  readonly fresh?: boolean;
  readonly outputs?: Readonly<Record<string, string>>;
}

/** A step that calls an operation. */
export interface CallSource {
  readonly id: string;
  readonly use?: string;
  readonly call?: string;
  readonly as?: Caller;
  readonly rules?: readonly string[];
  /** JSON pointers into the body that must lead to a value for the step to show its rules. */
  readonly shown?: readonly string[];
  readonly with?: Readonly<Record<string, unknown>>;
  /** Fields that the operation does not have. */
  readonly unknown?: Readonly<Record<string, unknown>>;
  readonly expect?: Expectation;
  readonly outputs?: Readonly<Record<string, string>>;
}

/** What a response must be like. Every other key is a JSON pointer into the body, with the value that is expected there. */
export interface Expectation {
  /** 200 by default. */
  readonly status?: number | string;
  /** JSON pointers that must lead to nothing. */
  readonly absent?: readonly string[];
  /** Criteria of Arazzo: a simple condition as a string, any other as an object. */
  readonly criteria?: readonly (string | Criterion)[];
  readonly [pointer: string]: unknown;
}

/** A criterion object of Arazzo 1.0.1. */
export interface Criterion {
  readonly condition: string;
  readonly context?: string;
  readonly type?: string;
}

/** A part of a step that workflows share. */
export type Component =
  | { readonly description: string; readonly state: string; readonly params?: Readonly<Record<string, unknown>> }
  | { readonly description: string; readonly call: string; readonly with?: Readonly<Record<string, unknown>> };
