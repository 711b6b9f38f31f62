import type { CheckKind } from "../../check.js";
import type { RuleState } from "../../verify-report.js";
import { brokenRules } from "../judge-rules.js";
import type { Verdict } from "../verdict.js";
import { escapeJson } from "../visible-text.js";
import type { PageModel } from "./page-model.js";

/** The data for the script of the page. Elements refer to checks and rules by index. */
export interface PageData {
  readonly checks: readonly {
    readonly id: string;
    readonly summary: string;
    readonly verdict: Verdict;
    readonly kind: CheckKind;
    /** Indexes in `rules`. */
    readonly rules: readonly number[];
  }[];
  readonly rules: readonly { readonly id: string; readonly text: string; readonly state: RuleState }[];
}

/** Extracts the data for the script of the page. */
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

/** Formats JSON for a script element: escapes everything that could be markup. */
export function scriptJson(value: unknown): string {
  return escapeJson(JSON.stringify(value)).replace(
    /[<>&]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
