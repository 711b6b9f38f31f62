import type { CheckKind, Exchange } from "../check.js";
import type { RuleState, VerifyReport } from "../verify-report.js";
import type { Exercise, ExitCode } from "./exit-code.js";
import { ruleStates, type StaleEntry } from "./judge-rules.js";
import { type Verdict, verdicts } from "./verdict.js";

/** What `--json` writes. `jsonReportSchema` says the same as a JSON Schema. */
export interface JsonReport {
  /** The version of this shape. It changes when a reader must. */
  readonly format: 1;
  readonly contract: VerifyReport["contract"];
  readonly version: string;
  readonly target: string;
  readonly level?: number;
  /** Left out for the daemon. */
  readonly seed?: number;
  /** Whether only some checks were run. */
  readonly partial: boolean;
  /** Whether the run was ended before all was done, so that it is no verdict on the server. */
  readonly stopped: boolean;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly exitCode: ExitCode;
  readonly totals: {
    readonly rules: Readonly<Record<RuleState, number>>;
    readonly checks: Readonly<Record<Verdict, number>>;
  };
  /** How many of the rules that the checks of the run can show were exercised; below `minPercent` there is no verdict. */
  readonly exercise: Exercise;
  readonly rules: readonly JsonRule[];
  readonly checks: readonly JsonCheck[];
  readonly stale: readonly StaleEntry[];
}

/** A rule of the contract and what came of it. */
export interface JsonRule {
  readonly id: string;
  readonly text: string;
  /** Where the requirements state it. */
  readonly source?: string;
  readonly resource: string;
  readonly state: RuleState;
  readonly untestable?: string;
  /** Why it was not exercised, when a check could have shown it. */
  readonly reason?: string;
  /** The ids of the checks that can show it. */
  readonly checks: readonly string[];
}

/** A check and what came of it. */
export interface JsonCheck {
  readonly id: string;
  readonly kind: CheckKind;
  readonly operation: string;
  readonly summary: string;
  readonly rules: readonly string[];
  readonly verdict: Verdict;
  readonly durationMs: number;
  /** Why it is known to fail, when it is listed. */
  readonly knownFailing?: string;
  /** What is wrong, of a check that failed. */
  readonly problems?: readonly string[];
  /** The rules that it found broken, of a check that failed. */
  readonly broken?: readonly string[];
  /** Of a check that passed, the rules that it showed, when these are not all. */
  readonly shown?: readonly string[];
  /** Why it was skipped, could not run, or did not show all its rules. */
  readonly reason?: string;
  /** What to do about it, of a check that could not run. */
  readonly help?: string;
  /** The calls of a check that failed or could not run. */
  readonly trace?: readonly Exchange[];
}

const text = { type: "string" };
const texts = { type: "array", items: text };
const count = { type: "integer", minimum: 0 };
const percent = { type: "integer", minimum: 0, maximum: 100 };

function object(properties: Readonly<Record<string, object>>, optional: readonly string[] = []): object {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", required, properties, additionalProperties: false };
}

const states = Object.keys(ruleStates);

/** The JSON Schema (2020-12) of a `JsonReport`. */
export const jsonReportSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Report of accord verify",
  ...object(
    {
      format: { const: 1 },
      contract: { enum: ["chat", "daemon"] },
      version: text,
      target: text,
      level: count,
      seed: { type: "integer" },
      partial: { type: "boolean" },
      stopped: { type: "boolean" },
      startedAt: { type: "string", format: "date-time" },
      durationMs: { type: "number", minimum: 0 },
      exitCode: { enum: [0, 1, 2, 3] },
      totals: object({
        rules: object(Object.fromEntries(states.map((state) => [state, count]))),
        checks: object(Object.fromEntries(verdicts.map((verdict) => [verdict, count]))),
      }),
      exercise: object({ exercised: count, exercisable: count, percent, minPercent: percent }),
      rules: {
        type: "array",
        items: object(
          {
            id: text,
            text,
            source: text,
            resource: text,
            state: { enum: states },
            untestable: text,
            reason: text,
            checks: texts,
          },
          ["source", "untestable", "reason"],
        ),
      },
      checks: {
        type: "array",
        items: object(
          {
            id: text,
            kind: { enum: ["case", "workflow", "probe"] },
            operation: text,
            summary: text,
            rules: texts,
            verdict: { enum: verdicts },
            durationMs: { type: "number", minimum: 0 },
            knownFailing: text,
            problems: texts,
            broken: texts,
            shown: texts,
            reason: text,
            help: text,
            trace: {
              type: "array",
              items: object({ command: text, request: text, response: text }, ["response"]),
            },
          },
          ["knownFailing", "problems", "broken", "shown", "reason", "help", "trace"],
        ),
      },
      stale: {
        type: "array",
        items: object({ name: text, reason: text, why: { enum: ["passes", "unknown"] }, nearest: texts }),
      },
    },
    ["level", "seed"],
  ),
} as const;
