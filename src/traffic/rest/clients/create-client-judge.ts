import { expressionsIn } from "../../../contract/expressions.js";
import type { Matcher } from "../../../contract/matcher.js";
import { type ClientRule, listClientRulesAt } from "../../../contract/rest/client-rules.js";
import type { ContractDocument } from "../../../contract/rest/document.js";
import { newestLevelOf } from "../../../contract/rest/rest-contract.js";
import { typeName } from "../../../judge/compile-matcher.js";
import type { CheckResult } from "../../../report/model/check-result.js";
import { type ReportedRule, toReportedRule } from "../../../report/model/verify-report.js";
import type { TrafficFinding } from "../../judge/finding.js";
import type { DecodedExchange } from "../exchange/decode-exchange.js";
import { allOperations } from "../exchange/operations-at-level.js";
import { type ClientBreach, createRuleWatch } from "./create-rule-watch.js";
import { type ExchangeView, viewExchange } from "./exchange-view.js";
import type { Remembered } from "./pattern.js";

/** Judges clients by the rules of the contract about them. */
export interface ClientJudge {
  /** The rules of the level, in the order of the contract. */
  readonly rules: readonly ReportedRule[];
  /**
   * Judges the next exchange. Exchanges come in the order in which they start or end; their times come from one clock,
   * which should not be changed meanwhile.
   */
  readonly observe: (exchange: DecodedExchange) => TrafficFinding[];
  /**
   * A passed check for each rule that the traffic has shown, and a skipped one, with the reason, for each rule that
   * clients were only provoked to break.
   */
  readonly checks: () => CheckResult[];
}

/** What the traffic shows about a rule: how many exchanges could have broken it, did, or had a response that provokes it. */
interface Counts {
  judged: number;
  broken: number;
  strained: number;
}

/**
 * Creates a judge of the clients of a server of a feature level. `document` is the contract of the newest level. The
 * memory of earlier exchanges is bounded: the judge forgets the oldest first, and may then miss breaches.
 */
export function createClientJudge(document: ContractDocument, level: number): ClientJudge {
  const rules = listClientRulesAt(document, level).map((rule) => ({
    rule,
    strength: rule.strength ?? "must",
    watch: rule.seen === undefined ? undefined : createRuleWatch(rule.seen),
    counts: { judged: 0, broken: 0, strained: 0 } satisfies Counts,
  }));
  const operations = allOperations(document);
  const newestLevel = newestLevelOf(document);
  return {
    rules: rules.map(({ rule, strength }) => toReportedRule({ ...rule, strength })),
    observe: (exchange) => {
      const view = viewExchange(exchange, operations);
      const { startedAt, provoked = [] } = exchange.recorded;
      // A clock may be wrong, and requests take time.
      const known = { "newest-level": newestLevel, recently: startedAt / 1000 - 300 };
      return rules.flatMap(({ rule, strength, watch, counts }): TrafficFinding[] => {
        if (rule.strain !== undefined && provoked.includes(rule.strain)) counts.strained++;
        const verdict = watch?.(view, known);
        if (verdict === undefined) return [];
        counts.judged++;
        if (verdict === "kept") return [];
        counts.broken++;
        return [{ party: "client", rule: rule.id, strength, problem: describeBreach(rule, verdict, view) }];
      });
    },
    checks: () => rules.flatMap(({ rule, counts }) => toCheck(rule, counts)),
  };
}

function toCheck({ id, strain, text }: ClientRule, { judged, broken, strained }: Counts): CheckResult[] {
  const [operation = id] = id.split(".", 1);
  const check = { id: `client rule ${id}`, kind: "request", operation, rules: [id], durationMs: 0 } as const;
  if (broken > 0) return [];
  if (judged > 0) {
    const summary = `${judged.toLocaleString("en-US")} exchanges could have broken it.`;
    return [{ ...check, summary, outcome: { kind: "passed" } }];
  }
  if (strained === 0) return [];
  const reason = `${strained} responses were changed (${strain}); the client's own tests show whether it tolerates that`;
  return [{ ...check, summary: text, outcome: { kind: "skipped", reason } }];
}

/**
 * Describes in sentences which rule an exchange breaks, and how. Quotes no texts that the client sends, because they
 * may be secret.
 */
function describeBreach({ text }: ClientRule, breach: ClientBreach, view: ExchangeView): string {
  if (breach.kind === "not-first") return text;
  const { part, remembered } = breach;
  const detail = describeValue(part.place, part.read(view, remembered), part.matcher, remembered);
  return [text, detail, ...describeEarlier(part.matcher, part.place, remembered)].join(" ");
}

function describeValue(place: string, value: unknown, matcher: Matcher, remembered: Remembered): string {
  const subject = subjectOf(place);
  const forbids = typeof matcher === "object" && matcher !== null && "present" in matcher && matcher.present === false;
  if (forbids) return `The request has ${subject}.`;
  if (value === undefined || value === null) return `The request lacks ${subject}.`;
  if (place === "started") {
    const allowed = Math.max(...expressionsIn(matcher).map((name) => Number(remembered[name])));
    return `The request starts ${Math.ceil(allowed - Number(value))} ms too early.`;
  }
  if (Array.isArray(value)) return `The number of ${subject} is ${value.length}.`;
  const shown = typeof value === "number" || typeof value === "boolean" || typeof value === "bigint";
  return shown ? `The value of ${subject} is ${value}.` : `The value of ${subject} is not valid here.`;
}

/** Adds the numbers and parameter names that the matcher compares with. */
function describeEarlier(matcher: Matcher, place: string, remembered: Remembered): string[] {
  if (place === "started") return [];
  return expressionsIn(matcher).flatMap((name) => {
    const value = remembered[name];
    if (value === undefined && place === "level") return [`The earlier ${name} is missing.`];
    const isListed = (place === "names" || place === "numbers") && typeof value === "string";
    return typeName(value) === "integer" || isListed ? [`The earlier ${name} is ${value}.`] : [];
  });
}

/** How sentences refer to a place. */
function subjectOf(place: string): string {
  const [, group = "", key = ""] = /^(parameters|headers|response-headers|earlier)\.(.*)$/s.exec(place) ?? [];
  if (group === "") return subjects[place] ?? `\`${place}\``;
  if (group === "earlier") return `the earlier ${key}`;
  if (group === "parameters") return `\`${key}\``;
  return `the header \`${key}\`${group === "headers" ? "" : " of the response"}`;
}

const subjects: Readonly<Record<string, string>> = {
  bytes: "its size in bytes",
  level: "the level that it needs",
  names: "its parameters",
  numbers: "its numbers",
};
