import type { StrengthOfRule } from "../strength.js";
import type { Seen } from "./seen.js";

/** One statement of the requirements, or a recommendation where they are silent, that a server or a client can keep or break. */
export interface Rule extends StrengthOfRule {
  readonly id: string;
  /** Who keeps or breaks the rule. Defaults to the server. */
  readonly party?: "client";
  readonly text: string;
  /** Where the requirements state it, such as `Edit a message, rule 3`. */
  readonly source?: string;
  /** The first feature level with the rule. If undefined, the rule has always existed. */
  readonly since?: number;
  /** The first feature level without the rule. If undefined, the rule still exists. */
  readonly until?: number;
  /** The reason why no sequence of calls can test the rule, or no traffic can show it. */
  readonly untestable?: string;
  /** How traffic shows whether a client keeps the rule. Only for a rule about clients. */
  readonly seen?: Seen;
  /** A change to responses that clients must tolerate to keep the rule. Only for a rule about clients. */
  readonly strain?: Strain;
  /** Whether the rule states the status of its error. Otherwise the status is that of the recommendation about statuses. */
  readonly "fixes-status"?: true;
  /** The probes that show the rule besides its cases and workflows. */
  readonly "shown-by"?: ShownBy;
}

/** A kind of probe: a check that is derived from a case, with one thing changed. `openapi/checks.md` explains each. */
export type ShownBy = ShownByKind & {
  /** The recommendations that the checks rely on. Defaults to none. */
  readonly "relies-on"?: readonly string[];
};

type ShownByKind =
  | {
      readonly kind:
        | "deactivated-account"
        | "error-status"
        | "form-charset"
        | "no-credentials"
        | "unknown-parameters"
        | "wrong-credentials";
    }
  /** `at` is a JSON pointer to the list of ignored parameters in a response. */
  | { readonly kind: "ignored-parameters"; readonly at: string }
  | { readonly kind: "missing-parameter"; readonly parameter: string }
  | {
      readonly kind: "missing-role";
      /** The least powerful caller who has the role. */
      readonly role: string;
      /** The rule about what the role allows. If undefined, the role is needed for the whole operation. */
      readonly allows?: string;
    };

/**
 * A change to responses that a conforming server may make too, and that clients must tolerate. `openapi/checks.md`
 * explains each.
 */
export type Strain =
  | "large-ids"
  | "missing-fields"
  | "no-level"
  | "null-values"
  | "older-level"
  | "rate-limit"
  | "slow-answers"
  | "unknown-codes"
  | "unknown-fields";

/** Whether a rule holds at a feature level. */
export function holdsAt(
  { since = 0, until = Number.POSITIVE_INFINITY }: Pick<Rule, "since" | "until">,
  level: number,
): boolean {
  return since <= level && level < until;
}
