import { checkMembers, exchangeSchema, needSchema } from "./check-result.js";
import { coverageSchema } from "./coverage.js";
import { degrees } from "./degree.js";
import { count, flag, list, number, object, oneOf, optional, tallies, text, texts, type ValueOf } from "./schema.js";
import { namesIn, operationStates, ruleStates, verdictNames } from "./verdict.js";

const duration = number("number", { minimum: 0 });
const percent = number("integer", { minimum: 0, maximum: 100 });
const exitCode = oneOf([0, 1, 2, 3]);
const isSet = oneOf([true]);

const runVerdict = object({
  word: oneOf(["PASS", "FAIL", "COULD NOT RUN", "STOPPED", "PARTIAL", "INCONCLUSIVE"]),
  sentence: text,
});

const shard = object({
  /** Starts at 1. */
  index: count,
  of: count,
  /** The number of checks of all shards together. */
  checks: count,
  /** Whether only some checks of the contract are in any of the shards. */
  restricted: flag,
});

const exercise = object({
  exercised: count,
  /** The rules that a check of the run can show, whatever its outcome. */
  exercisable: count,
  /** Rounded down, so that 100 means all. 100 if there is no such rule. */
  percent,
  /** The minimum for a verdict, in percent. */
  minPercent: percent,
});

const beyond = object({
  /** How many there are. */
  checks: count,
  /** The ids of the other operations, that of the most checks first. */
  operations: texts,
});

export const operationSchema = object({
  /** An `operationId` or `<service>/<method>`. */
  id: text,
  /** Such as `PATCH /messages/{message_id}`. */
  title: text,
  /** Whether the server has it; `unknown` if no request tells. */
  presence: oneOf(["there", "not-implemented", "unknown"]),
  /** How the server says that it does not have it, such as `status 501`. */
  why: optional(text),
  /** Whether one of its responses in the run was a success as documented. Omitted in reports of versions before 0.3. */
  succeeded: optional(flag),
  /** The checks that call it. */
  checks: texts,
  /** The rules that are about it alone. */
  rules: texts,
  state: oneOf(namesIn(operationStates)),
  /** How many of its rules are kept. */
  kept: count,
  /** How many were exercised: kept, broken or deviating. */
  exercised: count,
  /** How many the checks of the run can show. */
  all: count,
});

const need = object({
  /** Of several missing operations, each is a need. */
  need: needSchema,
  /** How many checks need nothing else. */
  checks: count,
  /** How many checks need other operations as well. */
  more: count,
  /** The operations that these checks are about, without workflows. */
  operations: texts,
  /** What the handler of the provider state must return. */
  help: optional(text),
});

export const ruleSchema = object({
  id: text,
  /** The rule as a sentence. */
  text,
  /** Where the requirements state it, such as `Edit a message, rule 3`. */
  source: optional(text),
  /** Whether the requirements state it, or the contract recommends it where they are silent. */
  strength: oneOf(["must", "should"]),
  /** The first part of its id, such as `messages`. */
  resource: text,
  state: oneOf(namesIn(ruleStates)),
  /** Why no check can show the rule. */
  untestable: optional(text),
  /** Why it was not exercised, if a check can show it. */
  reason: optional(text),
  /** The ids of the checks that can show it. */
  checks: texts,
});

/** The members that only some outcomes have. */
const details = {
  /** The problems of a check that failed or deviated. */
  problems: optional(texts),
  /** The rules that it broke. */
  broken: optional(texts),
  /** The rules that a passed check showed, if these are not all; the rules that a check with problems still showed. */
  shown: optional(texts),
  /** Whether the server accepted a request that it must refuse. Omitted if not. */
  letThrough: optional(isSet),
  /** Whether the schemas forbid the response. Omitted if not. */
  forbidden: optional(isSet),
  /** Why it was skipped, could not run, or did not show all its rules. */
  reason: optional(text),
  /** What would make a skipped check run, if that is known. */
  need: optional(needSchema),
  /** What to do about a check that could not run. */
  help: optional(text),
  /** The calls of a check that failed, deviated or could not run. */
  trace: optional(list(exchangeSchema)),
};

export const detailsSchema = object(details);

export const checkSchema = object({
  ...checkMembers,
  verdict: oneOf(namesIn(verdictNames)),
  outcome: oneOf(["passed", "failed", "deviated", "skipped", "errored"]),
  durationMs: duration,
  /** Why it is known to fail, if it is listed. */
  knownFailing: optional(text),
  ...details,
});

const stale = object({
  name: text,
  reason: text,
  /** `passes`: the check passed. `unknown`: no check has this name. */
  why: oneOf(["passes", "unknown"]),
  /** Names of checks similar to the unknown one, the most similar first. */
  nearest: texts,
});

const outage = object({
  /** When it began, in ISO 8601. */
  at: { type: "string", format: "date-time" } as typeof text,
  /** The requests that were under way, or else the last one that got a response, such as `POST /pets`. */
  after: optional(text),
  /** What the server did: nothing listened, it did not answer, a gateway answered instead, or every answer had status 429. */
  state: oneOf(["away", "hanging", "gateway", "busy"]),
  /** Omitted if the server did not come back in time. */
  durationMs: optional(duration),
  /** The requests of which one may have ended the server, if none was shown to. */
  suspects: optional(texts),
});

const flickers = object({
  /** Connections that were closed without a response to a request that, sent again, got one. */
  dropped: count,
  /** Responses 502, 503 and 504 that are not those of the API. */
  gateway: count,
  /** The write after which most of them came in a row, if these are many. */
  gatewayAfter: optional(text),
  /** Responses that were followed by bytes that no request asked for. */
  surplus: count,
});

const createdThing = object({
  /** Such as `POST /pets`. */
  request: text,
  /** Its path, or its id if that is all that is known. */
  thing: text,
});

const report = object({
  /** The version of this format. It changes when readers must change. */
  format: oneOf([1]),
  /** The name of the contract. */
  contract: text,
  /** The version of the contract. */
  version: text,
  /** The version of this package. Omitted in reports of versions before 0.3. */
  packageVersion: optional(text),
  /** The URL or address of the server. */
  target: text,
  /** The feature level whose contract was applied. */
  level: optional(count),
  /** The seed of random requests or strains. Omitted if the run has neither. */
  seed: optional(number("integer")),
  /** The version that the server reports. Omitted if it reports none. */
  serverVersion: optional(text),
  /** The roles of the accounts of a real organization that replaced provider states. Omitted if there were none. */
  accounts: optional(texts),
  /** What the run could send. Omitted in traffic, and in reports of versions before 0.4. */
  degree: optional(oneOf(degrees)),
  /** What the run created and did not remove, in order. Omitted if nothing is known. */
  created: optional(list(createdThing)),
  /** The part of a run over several machines. */
  shard: optional(shard),
  /** Whether a recommendation that the server does not follow counts as broken. */
  strict: flag,
  /** Whether only some checks ran, so that a known-failing check may exist although it is not in `checks`. */
  partial: flag,
  /** Whether the run was stopped early, so that it gives no verdict on the server. */
  stopped: flag,
  /** ISO 8601. */
  startedAt: { type: "string", format: "date-time" } as typeof text,
  durationMs: duration,
  /** The part of `durationMs` in which checks only waited for a time limit of the server. Omitted if unknown. */
  waitedMs: optional(duration),
  /** When the server did not respond. Omitted if it always did. */
  outages: optional(list(outage)),
  /** What the server or a gateway did now and then that breaks no rule. Omitted if there was nothing. */
  flickers: optional(flickers),
  exitCode,
  /** Omitted in reports of versions before 0.3. */
  verdict: optional(runVerdict),
  totals: object({ rules: tallies(namesIn(ruleStates)), checks: tallies(namesIn(verdictNames)) }),
  /** How many of the rules that the checks of the run can show were exercised. Below `minPercent` there is no verdict. */
  exercise,
  /** Checks that `--operation` does not select because they call other operations as well. */
  beyond: optional(beyond),
  /** Omitted in traffic, and in reports of versions before 0.3. */
  operations: optional(list(operationSchema)),
  /** What the skipped checks need, that of the most checks first. Omitted in reports of versions before 0.3. */
  needs: optional(list(need)),
  /** The rules of this level. */
  rules: list(ruleSchema),
  checks: list(checkSchema),
  /** The outdated entries of the known-failing list. Each of them fails the run. */
  stale: list(stale),
  /** The coverage of the traffic of a client. Omitted for the verification of a server. */
  coverage: optional(coverageSchema),
});

/** The JSON Schema (2020-12) of a `JsonReport`. */
export const jsonReportSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Report of accord verify",
  ...report,
};

/** The report that `--json` writes, and the model of all other formats. `jsonReportSchema` describes it as a JSON Schema. */
export interface JsonReport extends ValueOf<typeof report> {}

/**
 * 0: no rule is broken. 1: the contract is broken, or the known-failing list is outdated. 2: the verification could not run, or
 * was stopped early. 3: no rule is broken, but too few rules were exercised for a verdict.
 */
export type ExitCode = ValueOf<typeof exitCode>;

/** A time in which the server did not respond. */
export type Outage = ValueOf<typeof outage>;

/** The verdict of a run in a word and a sentence. */
export type RunVerdict = ValueOf<typeof runVerdict>;

/** One of several disjoint parts of a run, as its report describes it. */
export type ReportedShard = ValueOf<typeof shard>;

/** How many of the rules that the checks of a run can show were exercised: kept, broken or deviating. */
export type Exercise = ValueOf<typeof exercise>;

/** Checks that call the selected operations and others. */
export type ReportedBeyond = ValueOf<typeof beyond>;

/** An operation of the contract, and how far the server is with it. */
export interface JsonOperation extends ValueOf<typeof operationSchema> {}

/** Something that skipped checks need. */
export interface JsonNeed extends ValueOf<typeof need> {}

/** A rule of the contract and its state. */
export interface JsonRule extends ValueOf<typeof ruleSchema> {}

/** A check and its outcome. */
export interface JsonCheck extends ValueOf<typeof checkSchema> {}

/** Something that a run created and did not remove. */
export type CreatedThing = ValueOf<typeof createdThing>;

/** An outdated entry of the known-failing list. */
export type StaleEntry = ValueOf<typeof stale>;
