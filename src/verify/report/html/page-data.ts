import type { CheckKind } from "../../check.js";
import type { RuleState } from "../../verify-report.js";
import { brokenRules } from "../judge-rules.js";
import type { Verdict } from "../verdict.js";
import { escapeJson } from "../visible-text.js";
import type { PageModel } from "./page-model.js";

/** What the script of the page knows. Elements refer to checks and rules by their place in it. */
export interface PageData {
  readonly checks: readonly {
    readonly id: string;
    readonly summary: string;
    readonly verdict: Verdict;
    readonly kind: CheckKind;
    /** Places in `rules`. */
    readonly rules: readonly number[];
  }[];
  readonly rules: readonly { readonly id: string; readonly text: string; readonly state: RuleState }[];
}

/** The data of the page. */
export function toPageData({ checks, judgement, ruleOf }: PageModel): PageData {
  return {
    checks: checks.map(({ check, verdict }) => ({
      id: check.id,
      summary: check.summary,
      verdict,
      kind: check.kind,
      rules: [...new Set([...check.rules, ...brokenRules(check)])].flatMap((rule) => ruleOf(rule)?.index ?? []),
    })),
    rules: judgement.rules.map(({ id, text, state }) => ({ id, text, state })),
  };
}

/** JSON that can stand in a script element: no markup can begin or end in it. */
export function scriptJson(value: unknown): string {
  return escapeJson(JSON.stringify(value)).replace(
    /[<>&]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
