import { type ClientRule, listClientRulesAt } from "../../../contract/chat/client-rules.js";
import type { ContractDocument } from "../../../contract/chat/document.js";
import type { Strain } from "../../../contract/chat/rule.js";
import type { Strength } from "../../../contract/strength.js";
import type { Finding } from "../../traffic/traffic.js";
import type { RuleState } from "../../verify-report.js";
import type { DecodedExchange } from "../traffic/decoded-exchange.js";
import { createRuleWatch, type RuleWatch } from "./create-rule-watch.js";
import { describeBreach } from "./describe-breach.js";
import { viewExchange } from "./exchange-view.js";
import { createLevelReader, newestLevelOf } from "./level-reader.js";

/** The judgement on a rule of clients after a sequence of exchanges. */
export interface ClientRuleResult {
  readonly rule: ClientRule;
  readonly strength: Strength;
  readonly state: RuleState;
  /** How many exchanges could have broken the rule, and how many broke it. */
  readonly judged: number;
  readonly broken: number;
  /** How many responses were changed in a way that clients must tolerate to keep the rule. */
  readonly strained: number;
  /** Why the traffic does not show whether the rule is kept. Undefined if it does. */
  readonly reason?: string;
}

/** Judges clients by the rules of the contract about them. */
export interface ClientJudge {
  /**
   * Judges the next exchange. Exchanges come in the order in which they start or end; their times come from one clock,
   * which should not be changed meanwhile. `strains` lists how the response was changed on its way to the client.
   */
  observe(exchange: DecodedExchange, strains?: readonly Strain[]): Finding[];
  /** The result for each rule so far, in the order of the contract. */
  finish(): ClientRuleResult[];
}

/**
 * Creates a judge of the clients of a server of a feature level. `document` is the contract of the newest level. The
 * memory of earlier exchanges is bounded: the judge forgets the oldest first, and may then miss breaches.
 */
export function createClientJudge(document: ContractDocument, { level }: { readonly level: number }): ClientJudge {
  const readLevel = createLevelReader(document);
  const newestLevel = newestLevelOf(document);
  const rules = listClientRulesAt(document, level).map((rule) => ({
    rule,
    strength: rule.strength ?? "must",
    watch: rule.seen === undefined ? undefined : createRuleWatch(rule.seen),
    counts: { judged: 0, broken: 0, strained: 0 },
  }));
  return {
    observe(exchange, strains = []) {
      const view = viewExchange(exchange, readLevel);
      const known = {
        "newest-level": newestLevel,
        // A clock may be wrong, and requests take time.
        recently: exchange.recorded.startedAt / 1000 - 300,
      };
      return rules.flatMap(({ rule, strength, watch, counts }): Finding[] => {
        if (rule.strain !== undefined && strains.includes(rule.strain)) counts.strained++;
        const verdict = watch?.(view, known);
        if (verdict === undefined) return [];
        counts.judged++;
        if (verdict === "kept") return [];
        counts.broken++;
        return [{ party: "client", rule: rule.id, strength, problem: describeBreach(rule, verdict, view) }];
      });
    },
    finish: () =>
      rules.map(({ rule, strength, watch, counts }) => ({
        rule,
        strength,
        ...counts,
        ...stateOf(rule, watch, counts),
      })),
  };
}

function stateOf(
  { strain, strength, untestable }: ClientRule,
  watch: RuleWatch | undefined,
  { judged, broken, strained }: Pick<ClientRuleResult, "judged" | "broken" | "strained">,
): Pick<ClientRuleResult, "state" | "reason"> {
  if (broken > 0) return { state: strength === "should" ? "deviating" : "broken" };
  if (judged > 0) return { state: "kept" };
  if (strained > 0) {
    return {
      state: "not-exercised",
      reason: `${strained} responses were changed (${strain}); the client's own tests show whether it tolerates that`,
    };
  }
  if (watch === undefined && strain === undefined) {
    return { state: "untestable", ...(untestable === undefined ? {} : { reason: untestable }) };
  }
  const provoke = strain === undefined ? "" : `; the strain ${strain} provokes it`;
  return { state: "not-exercised", reason: `no exchange could have broken it${provoke}` };
}
