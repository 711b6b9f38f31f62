/**
 * The origin of a check: whether the server has an operation, a case of the contract, a workflow, or the schemas (a probe); for traffic, the
 * requests of a client or the responses to them.
 */
export type CheckKind = "operation" | "case" | "workflow" | "probe" | "request" | "response";

/** Every kind of check, in the order of reports. */
export const checkKinds = [
  "operation",
  "case",
  "workflow",
  "probe",
  "request",
  "response",
] as const satisfies readonly CheckKind[];

/** A check of a server or client, and its outcome. */
export interface CheckResult {
  /** Unique and stable, such as `case editMessage/content_with_channel`. Known-failing files and `--only` refer to it. */
  readonly id: string;
  readonly kind: CheckKind;
  /** The checked operation: an `operationId` or `<service>/<method>`. For a workflow, its resource. */
  readonly operation: string;
  /** What the check does, in a phrase. */
  readonly summary: string;
  /** The ids of the rules that the check can show. Empty if it only checks schemas. */
  readonly rules: readonly string[];
  /**
   * The recommendations that the check relies on. If the server does not follow one, a failed check counts as skipped.
   */
  readonly reliesOn?: readonly string[];
  readonly outcome: CheckOutcome;
  readonly durationMs: number;
}

/** The outcome of a check. */
export type CheckOutcome =
  /** No problem. If the responses do not show all rules of the check, `shown` lists those that they show, and `reason` says why. */
  | { readonly kind: "passed"; readonly shown?: readonly string[]; readonly reason?: string }
  /** The contract is broken. `broken` lists the broken rules; defaults to all rules of the check. */
  | {
      readonly kind: "failed";
      readonly problems: readonly string[];
      readonly broken?: readonly string[];
      /** The rules of the check that the responses still show. Defaults to none. */
      readonly shown?: readonly string[];
      /** Whether the server accepted a request that it must refuse. Defaults to false. */
      readonly letThrough?: boolean;
      /** Whether the schemas forbid the response, so that the check neither deviates nor is skipped. Defaults to false. */
      readonly forbidden?: boolean;
      readonly trace: readonly Exchange[];
    }
  /** The server breaks no rule that the requirements state, but does not follow the recommendations that `broken` lists. */
  | {
      readonly kind: "deviated";
      readonly problems: readonly string[];
      readonly broken: readonly string[];
      /** The rules of the check that the responses still show. Defaults to none. */
      readonly shown?: readonly string[];
      readonly trace: readonly Exchange[];
    }
  /** Not run, for example because no provider states are available. `need` is what would make it run, if that is known. */
  | { readonly kind: "skipped"; readonly reason: string; readonly need?: Need }
  /** The check could not run, because a state handler failed or the server is down. `help` says what to do. */
  | { readonly kind: "errored"; readonly reason: string; readonly help?: string; readonly trace: readonly Exchange[] };

/** What a skipped check needs: provider states at all; one of them, or a value of it; or operations that the server lacks. */
export type Need =
  | { readonly kind: "states" }
  | { readonly kind: "state"; readonly state: string; readonly value?: string }
  | { readonly kind: "operation"; readonly operations: readonly string[] };

/** A request and its response as text, with secrets masked. */
export interface Exchange {
  /** A command that repeats the request: `curl`, `buf curl` or `accord verify`, with `***` for secrets. */
  readonly command: string;
  /** The request as people read it: start line, headers, an empty line, body. */
  readonly request: string;
  /** The response in the same form. Undefined if there was none. */
  readonly response?: string;
}
