import { degrees } from "./degree.js";
import { anyOf, object, oneOf, optional, text, texts, type ValueOf } from "./schema.js";

/** Every kind of check, in the order of reports. */
export const checkKinds = ["operation", "case", "workflow", "probe", "request", "response"] as const;

/**
 * The origin of a check: whether the server has an operation, a case of the contract, a workflow, or the schemas (a probe); for traffic, the
 * requests of a client or the responses to them.
 */
export type CheckKind = (typeof checkKinds)[number];

/** What a report says of a check beside its outcome. */
export const checkMembers = {
  /** Unique and stable, such as `case editMessage/content_with_channel`. Known-failing files and `--only` refer to it. */
  id: text,
  kind: oneOf(checkKinds),
  /** The checked operation: an `operationId` or `<service>/<method>`. For a workflow, its resource. */
  operation: text,
  /** What the check does, in a phrase. */
  summary: text,
  /** The ids of the rules that the check can show. Empty if it only checks schemas. */
  rules: texts,
  /** The recommendations that the check relies on. If the server does not follow one, a failed check counts as skipped. */
  reliesOn: optional(texts),
};

/** The schema of a check without its outcome. */
export const plainCheckSchema = object(checkMembers);

/** A check of a server or client, and its outcome. */
export interface CheckResult extends ValueOf<typeof plainCheckSchema> {
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
      readonly trace: readonly ReportedExchange[];
    }
  /** The server breaks no rule that the requirements state, but does not follow the recommendations that `broken` lists. */
  | {
      readonly kind: "deviated";
      readonly problems: readonly string[];
      readonly broken: readonly string[];
      /** The rules of the check that the responses still show. Defaults to none. */
      readonly shown?: readonly string[];
      readonly trace: readonly ReportedExchange[];
    }
  /** Not run, for example because no provider states are available. `need` is what would make it run, if that is known. */
  | { readonly kind: "skipped"; readonly reason: string; readonly need?: Need }
  /** The check could not run, because a state handler failed or the server is down. `help` says what to do. */
  | {
      readonly kind: "errored";
      readonly reason: string;
      readonly help?: string;
      readonly need?: Need;
      readonly trace: readonly ReportedExchange[];
    };

const account = object({ kind: oneOf(["account"]) });
const states = object({ kind: oneOf(["states"]) });
const state = object({ kind: oneOf(["state"]), state: text, value: optional(text) });
const operation = object({ kind: oneOf(["operation"]), operations: texts });
/** By their names, or the paths up to them. */
const value = object({ kind: oneOf(["value"]), parameters: texts });
const degree = object({ kind: oneOf(["degree"]), degree: oneOf(degrees) });
const exclusion = object({ kind: oneOf(["exclusion"]), name: text });
const server = object({ kind: oneOf(["server"]) });

/**
 * What a skipped check needs: credentials, by an account or provider states; provider states; one of them, or a value of it; operations
 * that the server lacks; values of parameters that it has; a run that may do more; a run without an exclusion; or a server that responds.
 */
export type Need =
  | ValueOf<typeof account>
  | ValueOf<typeof states>
  | ValueOf<typeof state>
  | ValueOf<typeof operation>
  | ValueOf<typeof value>
  | ValueOf<typeof degree>
  | ValueOf<typeof exclusion>
  | ValueOf<typeof server>;

/** A need that provider states meet. */
export type StateNeed = Extract<Need, { readonly kind: "states" | "state" }>;

export function isStateNeed(need: Need | undefined): need is StateNeed {
  return need?.kind === "states" || need?.kind === "state";
}

export const needSchema = anyOf<Need>([account, states, state, operation, value, degree, exclusion, server]);

/** Whether a check was not sent because of what the run may do: its degree, or an exclusion. */
export function isWithheld(need: Need | undefined): need is Extract<Need, { readonly kind: "degree" | "exclusion" }> {
  return need?.kind === "degree" || need?.kind === "exclusion";
}

export const exchangeSchema = object({
  /** A command that repeats the request: `curl`, `buf curl` or `accord verify`, with `***` for secrets. */
  command: text,
  /** The request as people read it: start line, headers, an empty line, body. */
  request: text,
  /** The response in the same form. Undefined if there was none. */
  response: optional(text),
});

/** A request and its response as text, with secrets masked. */
export type ReportedExchange = ValueOf<typeof exchangeSchema>;

/** Whether a check found problems. */
export function hasProblems(
  check: CheckResult,
): check is CheckResult & { readonly outcome: Extract<CheckOutcome, { readonly kind: "failed" | "deviated" }> } {
  return check.outcome.kind === "failed" || check.outcome.kind === "deviated";
}

/** The rules that a check with problems broke: those of its outcome, or all that it can show. */
export function brokenRules({ rules, outcome }: CheckResult): readonly string[] {
  switch (outcome.kind) {
    case "failed":
      return outcome.broken ?? rules;
    case "deviated":
      return outcome.broken;
    case "passed":
    case "skipped":
    case "errored":
      return [];
  }
}

/** The rules that a check showed: those of its outcome, or all that it can show if it passed. */
export function shownRules({ rules, outcome }: CheckResult): readonly string[] {
  switch (outcome.kind) {
    case "passed":
      return outcome.shown ?? rules;
    case "failed":
    case "deviated":
      return outcome.shown ?? [];
    case "skipped":
    case "errored":
      return [];
  }
}
