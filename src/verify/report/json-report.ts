import type { Strength } from "../../contract/strength.js";
import { type CheckKind, type CheckOutcome, checkKinds, type Exchange } from "../check.js";
import type { Coverage } from "../traffic/coverage.js";
import type { ReportedShard, RuleState, VerifyReport } from "../verify-report.js";
import type { Exercise, ExitCode } from "./exit-code.js";
import { ruleStates, type StaleEntry } from "./judge-rules.js";
import { type Verdict, verdicts } from "./verdict.js";

/** The report that `--json` writes. `jsonReportSchema` describes it as a JSON Schema. */
export interface JsonReport {
  /** The version of this format. It changes when readers must change. */
  readonly format: 1;
  readonly contract: VerifyReport["contract"];
  /** The version of the contract. */
  readonly version: string;
  /** The version of accord-contracts. */
  readonly packageVersion?: string;
  readonly target: string;
  readonly level?: number;
  /** The seed of random requests or strains. Omitted if the run has neither. */
  readonly seed?: number;
  /** The version that the server reports, if it reports one. */
  readonly serverVersion?: string;
  /** Omitted if the run has no shards. */
  readonly shard?: ReportedShard;
  /** Whether recommendations that the server does not follow count as broken. */
  readonly strict: boolean;
  /** Whether only some checks ran. */
  readonly partial: boolean;
  /** Whether the run was stopped early, so that it gives no verdict on the server. */
  readonly stopped: boolean;
  readonly startedAt: string;
  readonly durationMs: number;
  /** The part of `durationMs` in which checks only waited for a time limit of the server. Omitted if unknown. */
  readonly waitedMs?: number;
  readonly exitCode: ExitCode;
  readonly totals: {
    readonly rules: Readonly<Record<RuleState, number>>;
    readonly checks: Readonly<Record<Verdict, number>>;
  };
  /** How many of the rules that the checks of the run can show were exercised. Below `minPercent` there is no verdict. */
  readonly exercise: Exercise;
  readonly rules: readonly JsonRule[];
  readonly checks: readonly JsonCheck[];
  readonly stale: readonly StaleEntry[];
  /** The coverage of the traffic of a client. Omitted for a verification. */
  readonly coverage?: Coverage;
}

/** A rule of the contract and its state. */
export interface JsonRule {
  readonly id: string;
  readonly text: string;
  /** Where the requirements state it. */
  readonly source?: string;
  readonly strength: Strength;
  readonly resource: string;
  readonly state: RuleState;
  readonly untestable?: string;
  /** Why it was not exercised, if a check can show it. */
  readonly reason?: string;
  /** The ids of the checks that can show it. */
  readonly checks: readonly string[];
}

/** A check and its outcome. */
export interface JsonCheck {
  readonly id: string;
  readonly kind: CheckKind;
  readonly operation: string;
  readonly summary: string;
  readonly rules: readonly string[];
  /** The recommendations that the check relies on. Omitted if there are none. */
  readonly reliesOn?: readonly string[];
  readonly verdict: Verdict;
  readonly outcome: CheckOutcome["kind"];
  readonly durationMs: number;
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
  /** What to do about a check that could not run. */
  readonly help?: string;
  /** The calls of a check that failed, deviated or could not run. */
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
      packageVersion: text,
      target: text,
      level: count,
      seed: { type: "integer" },
      serverVersion: text,
      shard: object({ index: count, of: count, checks: count, restricted: { type: "boolean" } }),
      strict: { type: "boolean" },
      partial: { type: "boolean" },
      stopped: { type: "boolean" },
      startedAt: { type: "string", format: "date-time" },
      durationMs: { type: "number", minimum: 0 },
      waitedMs: { type: "number", minimum: 0 },
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
            strength: { enum: ["must", "should"] },
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
            kind: { enum: checkKinds },
            operation: text,
            summary: text,
            rules: texts,
            reliesOn: texts,
            verdict: { enum: verdicts },
            outcome: { enum: ["passed", "failed", "deviated", "skipped", "errored"] },
            durationMs: { type: "number", minimum: 0 },
            knownFailing: text,
            problems: texts,
            broken: texts,
            shown: texts,
            letThrough: { const: true },
            forbidden: { const: true },
            reason: text,
            help: text,
            trace: {
              type: "array",
              items: object({ command: text, request: text, response: text }, ["response"]),
            },
          },
          [
            "reliesOn",
            "knownFailing",
            "problems",
            "broken",
            "shown",
            "letThrough",
            "forbidden",
            "reason",
            "help",
            "trace",
          ],
        ),
      },
      stale: {
        type: "array",
        items: object({ name: text, reason: text, why: { enum: ["passes", "unknown"] }, nearest: texts }),
      },
      coverage: object(
        {
          exchanges: count,
          sections: {
            type: "array",
            items: object({
              title: text,
              items: { type: "array", items: object({ name: text, operation: text, count }, ["operation"]) },
            }),
          },
          notJudged: { type: "array", items: object({ reason: text, count }) },
          refusals: { type: "array", items: object({ operation: text, count, first: text }) },
          provoked: {
            type: "array",
            items: object({ name: text, count, repeated: count, wentOn: count, stopped: count }),
          },
        },
        ["refusals"],
      ),
    },
    ["packageVersion", "level", "seed", "serverVersion", "shard", "coverage", "waitedMs"],
  ),
} as const;
