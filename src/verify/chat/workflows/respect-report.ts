/** The part of the output of `redocly respect --json-output` that is read here. */
export interface RespectReport {
  readonly files: Readonly<
    Record<
      string,
      { readonly executedWorkflows: readonly RespectWorkflow[]; readonly secretValues?: readonly string[] }
    >
  >;
}

/** An executed workflow. */
export interface RespectWorkflow {
  readonly workflowId: string;
  readonly status: "success" | "warn" | "error";
  readonly startTime: number;
  readonly endTime: number;
  /** The steps up to the first failed one. */
  readonly executedSteps: readonly RespectStep[];
}

/** An executed step. */
export interface RespectStep {
  readonly stepId: string;
  readonly request: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    /** Form fields by name, or JSON. */
    readonly body?: unknown;
    /** With its parameters; empty if there was no response. */
    readonly url: string;
  };
  readonly response: {
    /** 0 if there was no response. */
    readonly statusCode: number;
    /** Decoded if it is JSON; omitted if unknown. */
    readonly body?: unknown;
    /** The body as received. Not reported by `respect` itself: see `withRecordedAnswers`. */
    readonly text?: string;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly checks: readonly RespectCheck[];
}

/** A check of a step. */
export interface RespectCheck {
  readonly name: string;
  readonly passed: boolean;
  readonly message: string;
  readonly condition?: string;
  readonly severity: string;
}
