import type { Strength } from "../../contract/strength.js";
import { type CheckOutcome, type CheckResult, checkKinds, type Exchange, type Need } from "./check-result.js";
import type { StaleEntry } from "./judge-rules.js";
import { type OperationState, operationStates, ruleStates, type Verdict, verdictNames } from "./verdict.js";
import type { ReportedOperation, ReportedRule, RuleState, VerifyReport } from "./verify-report.js";

/** The members that a JSON report shares with the result of a run. Those that are unknown or do not apply are omitted. */
type Facts = Pick<
  VerifyReport,
  | "contract"
  | "version"
  | "packageVersion"
  | "target"
  | "level"
  | "seed"
  | "serverVersion"
  | "accounts"
  | "shard"
  | "coverage"
  | "beyond"
> &
  Required<Pick<VerifyReport, "strict" | "partial" | "stopped">> &
  Pick<VerifyReport, "startedAt" | "durationMs" | "waitedMs">;

/** The report that `--json` writes, and the model of all other formats. `jsonReportSchema` describes it as a JSON Schema. */
export interface JsonReport extends Facts {
  /** The version of this format. It changes when readers must change. */
  readonly format: 1;
  readonly exitCode: ExitCode;
  /** Omitted in reports of versions before 0.3. */
  readonly verdict?: RunVerdict;
  readonly totals: {
    readonly rules: Readonly<Record<RuleState, number>>;
    readonly checks: Readonly<Record<Verdict, number>>;
  };
  /** How many of the rules that the checks of the run can show were exercised. Below `minPercent` there is no verdict. */
  readonly exercise: Exercise;
  /** Omitted in traffic, and in reports of versions before 0.3. */
  readonly operations?: readonly JsonOperation[];
  /** What the skipped checks need, that of the most checks first. Omitted in reports of versions before 0.3. */
  readonly needs?: readonly JsonNeed[];
  readonly rules: readonly JsonRule[];
  readonly checks: readonly JsonCheck[];
  readonly stale: readonly StaleEntry[];
}

/**
 * 0: no rule is broken. 1: the contract is broken, or the known-failing list is outdated. 2: the verification could not run, or
 * was stopped early. 3: no rule is broken, but too few rules were exercised for a verdict.
 */
export type ExitCode = 0 | 1 | 2 | 3;

const verdictWords = ["PASS", "FAIL", "COULD NOT RUN", "STOPPED", "PARTIAL", "INCONCLUSIVE"] as const;

/** The verdict of a run in a word and a sentence. */
export interface RunVerdict {
  readonly word: (typeof verdictWords)[number];
  readonly sentence: string;
}

/** How many of the rules that the checks of a run can show were exercised: kept, broken or deviating. */
export interface Exercise {
  readonly exercised: number;
  /** The rules that a check of the run can show, whatever its outcome. */
  readonly exercisable: number;
  /** Rounded down, so that 100 means all. 100 if there is no such rule. */
  readonly percent: number;
  /** The minimum for a verdict, in percent. */
  readonly minPercent: number;
}

/** An operation of the contract, and how far the server is with it. */
export interface JsonOperation extends ReportedOperation {
  readonly state: OperationState;
  /** How many of its rules are kept. */
  readonly kept: number;
  /** How many were exercised: kept, broken or deviating. */
  readonly exercised: number;
  /** How many the checks of the run can show. */
  readonly all: number;
}

/** Something that skipped checks need. */
export interface JsonNeed {
  /** Of several missing operations, each is a need. */
  readonly need: Need;
  /** How many checks need nothing else. */
  readonly checks: number;
  /** How many checks need other operations as well. */
  readonly more: number;
  /** The operations that these checks are about, without workflows. */
  readonly operations: readonly string[];
  /** What the handler of the provider state must return. */
  readonly help?: string;
}

/** A rule of the contract and its state. */
export interface JsonRule extends ReportedRule {
  readonly strength: Strength;
  readonly state: RuleState;
  /** Why it was not exercised, if a check can show it. */
  readonly reason?: string;
  /** The ids of the checks that can show it. */
  readonly checks: readonly string[];
}

/** A check and its outcome. */
export interface JsonCheck extends Omit<CheckResult, "outcome"> {
  readonly verdict: Verdict;
  readonly outcome: CheckOutcome["kind"];
  /** Why it is known to fail, if it is listed. */
  readonly knownFailing?: string;
  /** The problems of a check that failed or deviated. */
  readonly problems?: readonly string[];
  /** The rules that it broke. */
  readonly broken?: readonly string[];
  /** The rules that a passed check showed, if these are not all; the rules that a check with problems still showed. */
  readonly shown?: readonly string[];
  /** Whether the server accepted a request that it must refuse. Omitted if not. */
  readonly letThrough?: true;
  /** Whether the schemas forbid the response. Omitted if not. */
  readonly forbidden?: true;
  /** Why it was skipped, could not run, or did not show all its rules. */
  readonly reason?: string;
  /** What would make a skipped check run, if that is known. */
  readonly need?: Need;
  /** What to do about a check that could not run. */
  readonly help?: string;
  /** The calls of a check that failed, deviated or could not run. */
  readonly trace?: readonly Exchange[];
}

const text = { type: "string" };
const texts = { type: "array", items: text };
const flag = { type: "boolean" };
const count = { type: "integer", minimum: 0 };
const percent = { type: "integer", minimum: 0, maximum: 100 };
const duration = { type: "number", minimum: 0 };
const states = Object.keys(ruleStates);
const verdicts = Object.keys(verdictNames);

/** A closed object. A name that ends in `?` is optional. */
function object(members: Readonly<Record<string, object>>): object {
  const names = Object.keys(members);
  const properties = Object.fromEntries(names.map((name) => [name.replace("?", ""), members[name]]));
  const required = names.filter((name) => !name.endsWith("?"));
  return { type: "object", required, properties, additionalProperties: false };
}

function list(members: Readonly<Record<string, object>>): object {
  return { type: "array", items: object(members) };
}

const need = {
  oneOf: [
    object({ kind: { const: "states" } }),
    object({ kind: { const: "state" }, state: text, "value?": text }),
    object({ kind: { const: "operation" }, operations: texts }),
  ],
};

function counts(keys: readonly string[]): object {
  return object(Object.fromEntries(keys.map((key) => [key, count])));
}

/** The JSON Schema (2020-12) of a `JsonReport`. */
export const jsonReportSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Report of accord verify",
  ...object({
    format: { const: 1 },
    contract: { enum: ["chat", "daemon"] },
    version: text,
    "packageVersion?": text,
    target: text,
    "level?": count,
    "seed?": { type: "integer" },
    "serverVersion?": text,
    "accounts?": texts,
    "shard?": object({ index: count, of: count, checks: count, restricted: flag }),
    strict: flag,
    partial: flag,
    stopped: flag,
    startedAt: { type: "string", format: "date-time" },
    durationMs: duration,
    "waitedMs?": duration,
    exitCode: { enum: [0, 1, 2, 3] },
    "verdict?": object({ word: { enum: verdictWords }, sentence: text }),
    totals: object({ rules: counts(states), checks: counts(verdicts) }),
    exercise: object({ exercised: count, exercisable: count, percent, minPercent: percent }),
    "beyond?": object({ checks: count, operations: texts }),
    "operations?": list({
      id: text,
      title: text,
      presence: { enum: ["there", "not-implemented", "unknown"] },
      "why?": text,
      checks: texts,
      rules: texts,
      state: { enum: Object.keys(operationStates) },
      ...{ kept: count, exercised: count, all: count },
    }),
    "needs?": list({ need, checks: count, more: count, operations: texts, "help?": text }),
    rules: list({
      id: text,
      text,
      "source?": text,
      strength: { enum: ["must", "should"] },
      resource: text,
      state: { enum: states },
      "untestable?": text,
      "reason?": text,
      checks: texts,
    }),
    checks: list({
      id: text,
      kind: { enum: checkKinds },
      operation: text,
      summary: text,
      rules: texts,
      "reliesOn?": texts,
      verdict: { enum: verdicts },
      outcome: { enum: ["passed", "failed", "deviated", "skipped", "errored"] },
      durationMs: duration,
      "knownFailing?": text,
      "problems?": texts,
      "broken?": texts,
      "shown?": texts,
      "letThrough?": { const: true },
      "forbidden?": { const: true },
      "reason?": text,
      "need?": need,
      "help?": text,
      "trace?": list({ command: text, request: text, "response?": text }),
    }),
    stale: list({ name: text, reason: text, why: { enum: ["passes", "unknown"] }, nearest: texts }),
    "coverage?": object({
      exchanges: count,
      sections: list({ title: text, items: list({ name: text, "operation?": text, count }) }),
      notJudged: list({ reason: text, count }),
      "refusals?": list({ operation: text, count, first: text }),
      provoked: list({ name: text, count, repeated: count, wentOn: count, stopped: count }),
    }),
  }),
} as const;
