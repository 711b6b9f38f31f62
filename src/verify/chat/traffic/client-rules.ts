import { listClientRulesAt } from "../../../contract/chat/client-rules.js";
import type { ContractDocument } from "../../../contract/chat/document.js";
import type { Strain } from "../../../contract/chat/rule.js";
import type { Check } from "../../check.js";
import type { Finding } from "../../traffic/traffic.js";
import { type ReportedRule, toReportedRule } from "../../verify-report.js";
import { type ClientRuleResult, createClientJudge } from "../clients/create-client-judge.js";
import type { DecodedExchange } from "./decoded-exchange.js";

/** Judges sequences of exchanges by the rules of the contract about clients. */
export interface ClientRuleJudge {
  readonly rules: readonly ReportedRule[];
  readonly observe: (exchange: DecodedExchange) => readonly Finding[];
  /**
   * A passed check for each rule that the traffic has shown, and a skipped one, with the reason, for each rule that
   * clients were only provoked to break.
   */
  readonly checks: () => Check[];
}

/** Creates the judge of the rules of clients. `newest` is the contract of the newest level. */
export function clientRuleJudge(newest: ContractDocument, level: number): ClientRuleJudge {
  const judge = createClientJudge(newest, { level });
  const strains = [...listStrains(newest, level).keys()];
  return {
    rules: judge.finish().map(({ rule, strength }) => toReportedRule({ ...rule, strength })),
    observe: (exchange) => {
      const { provoked = [] } = exchange.recorded;
      return judge.observe(
        exchange,
        strains.filter((strain) => provoked.includes(strain)),
      );
    },
    checks: () => judge.finish().flatMap(toCheck),
  };
}

/** Lists the strains that the rules of clients name, each with the ids of the rules that it tests. */
export function listStrains(document: ContractDocument, level: number): ReadonlyMap<Strain, readonly string[]> {
  const strains = new Map<Strain, string[]>();
  for (const { id, strain } of listClientRulesAt(document, level)) {
    if (strain !== undefined) strains.set(strain, [...(strains.get(strain) ?? []), id]);
  }
  return strains;
}

function toCheck({ rule, state, judged, strained, reason }: ClientRuleResult): Check[] {
  const [operation = rule.id] = rule.id.split(".", 1);
  const check = {
    id: `client rule ${rule.id}`,
    kind: "request",
    operation,
    summary: rule.text,
    rules: [rule.id],
    durationMs: 0,
  } as const;
  switch (state) {
    case "kept":
      return [
        {
          ...check,
          summary: `${judged.toLocaleString("en-US")} exchanges could have broken it.`,
          outcome: { kind: "passed" },
        },
      ];
    case "not-exercised":
      return strained === 0 || reason === undefined ? [] : [{ ...check, outcome: { kind: "skipped", reason } }];
    case "broken":
    case "deviating":
    case "untestable":
      return [];
  }
}
