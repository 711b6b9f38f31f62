import type { Matcher } from "./matcher.js";

/** Something that can be run against a server: steps in order, and the rules that they show. */
export interface Check {
  /** Unique and stable, such as `case editMessage/content_with_channel`. */
  readonly id: string;
  readonly kind: "case" | "workflow" | "probe";
  /** The operation that it is about; for a workflow, its resource. */
  readonly operation: string;
  /** What it does, in a phrase. */
  readonly summary: string;
  /** The rules that it shows. Those that no step names are broken if any step fails. */
  readonly rules: readonly string[];
  /** The recommendations that it relies on. */
  readonly reliesOn?: readonly string[];
  /** Whether a server of a newer feature level than the contract may do otherwise, so that the check shows nothing on it. */
  readonly knownLevelsOnly?: true;
  readonly steps: readonly Step[];
}

/** A step of a check. */
export type Step = StateStep | CallStep | ParallelStep;

/** A provider state that is set up. The first one creates the organization of the check. */
export interface StateStep {
  readonly kind: "state";
  /** By this name, later steps refer to its values: `$<id>.<value>`. */
  readonly id: string;
  readonly state: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether it makes an organization of its own. */
  readonly fresh?: true;
  /** The values that later steps use. */
  readonly values: readonly string[];
  /** What stands for values that the server may leave out. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Other names of values, within the check. */
  readonly rename?: Readonly<Record<string, string>>;
  readonly rules?: readonly string[];
  /** What the returned values must be, by JSON pointers. */
  readonly expect?: Readonly<Record<string, Matcher>>;
}

/** Who sends a request: a caller of the provider states, `nobody` (no credentials), `stranger` (unknown ones), or other credentials. */
export type Caller = string | { readonly email: string; readonly api_key: string };

/** A call of an operation, or of any URL of the server. */
export interface CallStep {
  readonly kind: "call";
  /** The name in reports, by which later steps refer to its outputs: `$<id>.<output>`. */
  readonly id: string;
  readonly as: Caller;
  /** The operation; undefined for a request to a `url`. */
  readonly call?: string;
  /** Parameters by name. The contract says where each is sent, and how. `{verbatim}` is a text that is sent as it is. */
  readonly with: Readonly<Record<string, unknown>>;
  /** Headers by name, or the name of an object with them. */
  readonly headers?: Readonly<Record<string, unknown>> | string;
  /** A request that no operation describes. */
  readonly request?: RequestTo;
  readonly expect: Expectation;
  readonly rules?: readonly string[];
  /** Whether the check shows nothing if this step fails. */
  readonly precondition?: true;
  /** Values of the response by name. */
  readonly outputs?: Readonly<Record<string, Output>>;
  /** Only in a read before or after a refused request. The latter names the former in `since`: both must read the same. */
  readonly readBack?: ReadBackOf;
}

/** Several calls at the same time. */
export interface ParallelStep {
  readonly kind: "parallel";
  readonly id: string;
  readonly steps: readonly CallStep[];
  readonly rules?: readonly string[];
  readonly precondition?: true;
}

/** A request to a URL of the server, which may be an output of an earlier step. */
export interface RequestTo {
  readonly method: string;
  readonly url: string;
  readonly body?: Bytes;
}

/** Bytes: each value once, in either order; one character again and again; or a text. */
export type Bytes =
  | "every-byte"
  | "every-byte-reversed"
  | { readonly fill: string; readonly length: number }
  | { readonly text: string };

/**
 * A JSON pointer into the body, or `header <name>`; several of which the first with a value counts. `header Location` is an absolute URL.
 */
export type Output =
  | string
  | {
      readonly at: string | readonly string[];
      /** Whether the check ends, without the rules of later steps, if there is no value. */
      readonly optional?: true;
      /** The value if there is none. */
      readonly otherwise?: unknown;
    };

/** The read before, and what may differ. */
export interface ReadBackOf {
  readonly since?: string;
  /** A JSON pointer to a list. */
  readonly compare: string;
  /** Fields of its entries that may change by themselves. */
  readonly except: readonly string[];
}

/** The expected response. */
export interface Expectation {
  /** `4XX` is any refusal; `any` any status that the contract allows. */
  readonly status: number | "4XX" | "any" | Matcher;
  /** The rule that only recommends the status: any refusal passes, but another one is a deviation. */
  readonly recommendedBy?: string;
  /** Values by JSON pointers into the body. */
  readonly body?: Readonly<Record<string, Matcher>>;
  readonly headers?: Readonly<Record<string, Matcher>>;
  readonly bytes?: Bytes;
}
