/** How a check came about: from a case of the contract, from a workflow, or from what the schemas say. */
export type CheckKind = "case" | "workflow" | "probe";

/** One thing that was looked at in a server, and what came of it. */
export interface Check {
  /** Unique and the same in every run, such as `case editMessage/content_with_channel`: known-failing files and `--only` name it. */
  readonly id: string;
  readonly kind: CheckKind;
  /** The operation that is checked: an `operationId` or `<service>/<method>`. For a workflow the resource that it is about. */
  readonly operation: string;
  /** What is done, in a phrase for people. */
  readonly summary: string;
  /** The ids of the rules that it can show. Empty when only the schemas are checked. */
  readonly rules: readonly string[];
  readonly outcome: CheckOutcome;
  readonly durationMs: number;
}

/** What came of a check. */
export type CheckOutcome =
  /** Nothing is wrong. `shown` are the rules that the answers show, when these are not all that the check can show; `reason` says why. */
  | { readonly kind: "passed"; readonly shown?: readonly string[]; readonly reason?: string }
  /** The server breaks the contract. `broken` are the rules that the problems break, when these are not all that the check shows. */
  | {
      readonly kind: "failed";
      readonly problems: readonly string[];
      readonly broken?: readonly string[];
      /** Whether the server let a request through that it has to refuse. Left out: no. */
      readonly letThrough?: boolean;
      readonly trace: readonly Exchange[];
    }
  /** Not run, for example because no provider states are available. */
  | { readonly kind: "skipped"; readonly reason: string }
  /** It should have run and could not: a state handler failed, the server was gone. `help` says what to do about it. */
  | { readonly kind: "errored"; readonly reason: string; readonly help?: string; readonly trace: readonly Exchange[] };

/** A request and what came back, as text in which no secret stands. */
export interface Exchange {
  /** The request as a command that repeats it: `curl`, `buf curl` or `accord verify`, with `***` in the place of secrets. */
  readonly command: string;
  /** What was sent, as people read it: start line, headers, an empty line, body. */
  readonly request: string;
  /** What came back, likewise. Left out when nothing did. */
  readonly response?: string;
}
