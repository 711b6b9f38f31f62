/** What `redocly respect --json-output` writes, as far as it is read here. */
export interface RespectReport {
  readonly files: Readonly<
    Record<
      string,
      { readonly executedWorkflows: readonly RespectWorkflow[]; readonly secretValues?: readonly string[] }
    >
  >;
}

/** A workflow that was run. */
export interface RespectWorkflow {
  readonly workflowId: string;
  readonly status: "success" | "warn" | "error";
  readonly startTime: number;
  readonly endTime: number;
  /** Up to the first that failed. */
  readonly executedSteps: readonly RespectStep[];
}

/** A step that was run. */
export interface RespectStep {
  readonly stepId: string;
  readonly request: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    /** Form fields by name, JSON, or nothing. */
    readonly body?: unknown;
    /** With its parameters; empty when there was no answer. */
    readonly url: string;
  };
  readonly response: {
    /** 0 when there was no answer. */
    readonly statusCode: number;
    /** Decoded when it was JSON; left out when it is not known. */
    readonly body?: unknown;
    /** The body as it came. `respect` itself does not report it: see `keepAnswers`. */
    readonly text?: string;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly checks: readonly RespectCheck[];
}

/** Something that was checked after a step. */
export interface RespectCheck {
  readonly name: string;
  readonly passed: boolean;
  readonly message: string;
  readonly condition?: string;
  readonly severity: string;
}
