import type { StrengthOfRule } from "../strength.js";
import type { Case } from "./cases.js";
import type { Seen, Strain } from "./client-rules.js";
import type { ContractDocument } from "./document.js";
import { listOperations } from "./operations.js";

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
  /** The checks of `accord verify chat` that show the rule besides its cases and workflows. */
  readonly "shown-by"?: ShownBy;
}

/** A kind of check that is derived from the contract instead of written as a case or workflow. `openapi/README.md` explains each. */
export type ShownBy = ShownByKind & {
  /** The recommendations that the checks rely on. Defaults to none. */
  readonly "relies-on"?: readonly string[];
};

type ShownByKind =
  | {
      readonly kind:
        | "concurrent-requests"
        | "credential-scheme"
        | "deactivated-account"
        | "deferred-length"
        | "error-status"
        | "form-charset"
        | "ignored-parameters"
        | "interrupted-upload"
        | "level-operations"
        | "no-credentials"
        | "nothing-else"
        | "session-cookie"
        | "session-upload"
        | "tus-creator"
        | "tus-metadata"
        | "tus-read"
        | "unknown-parameters"
        | "unsupported-version"
        | "upload-count"
        | "upload-deleted"
        | "upload-empty"
        | "upload-limit"
        | "upload-over-limit"
        | "upload-read"
        | "upload-shared"
        | "upload-unshared"
        | "upload-url"
        | "wrong-credentials";
    }
  | { readonly kind: "missing-parameter"; readonly parameter: string }
  | {
      readonly kind: "missing-role";
      /** The least powerful caller who has the role. */
      readonly role: string;
      /** The rule about what the role allows. If undefined, the role is needed for the whole operation. */
      readonly allows?: string;
    };

/** Lists the rules of servers, starting with those that are not specific to one operation. */
export function listRules(document: ContractDocument): Rule[] {
  return listAllRules(document).filter(({ party }) => party === undefined);
}

/** Lists the rules of servers and clients, starting with those that are not specific to one operation. */
export function listAllRules(document: ContractDocument): Rule[] {
  return [
    ...(document["x-rules"] ?? []),
    ...listOperations(document).flatMap(({ operation }) => operation["x-rules"] ?? []),
  ];
}

/**
 * Finds the rule that recommends the status of an error response. Undefined if one of the rules that the response shows states the
 * status, or if the contract recommends none. `shown` lists the ids of the rules that the response shows.
 */
export function statusRecommendation(rules: readonly Rule[], shown: readonly string[]): string | undefined {
  if (rules.some((rule) => rule["fixes-status"] === true && shown.includes(rule.id))) return undefined;
  return rules.find((rule) => rule["shown-by"]?.kind === "error-status")?.id;
}

/** The fields of a workflow that coverage needs. */
export interface WorkflowRules {
  readonly workflowId: string;
  readonly rules: readonly string[];
  /** Rules that it shows only if the response has a value that it may omit. Defaults to none. */
  readonly conditional?: readonly string[];
}

/** The cases and workflows that check a rule. */
export interface CoveredRule {
  readonly rule: Rule;
  /** Cases as `<operationId> <name>`. */
  readonly cases: readonly string[];
  readonly workflows: readonly string[];
  /** The workflows that show the rule only if the response has a value that it may omit. */
  readonly conditional: readonly string[];
}

/** Finds the cases and workflows that name each rule. */
export function coverRules(
  rules: readonly Rule[],
  cases: readonly Case[],
  workflows: readonly WorkflowRules[],
): CoveredRule[] {
  return rules.map((rule) => ({
    rule,
    cases: cases
      .filter(({ rule: id, also, recommendedBy }) => [id, ...also, recommendedBy].includes(rule.id))
      .map(({ operationId, name }) => `${operationId} ${name}`),
    workflows: workflows.filter(({ rules: ids }) => ids.includes(rule.id)).map(({ workflowId }) => workflowId),
    conditional: workflows
      .filter(({ conditional = [] }) => conditional.includes(rule.id))
      .map(({ workflowId }) => workflowId),
  }));
}

/** Describes each coverage problem in a sentence: rules without source, unchecked rules, and checked rules that are marked untestable. */
export function coverageProblems(covered: readonly CoveredRule[]): string[] {
  return covered.flatMap(({ rule, cases, workflows, conditional }) => {
    const unsourced =
      rule.source === undefined
        ? [`${rule.id}: it has no \`source\`. Name the heading of the requirements that states it.`]
        : [];
    const always = [...cases, ...workflows.filter((workflow) => !conditional.includes(workflow))];
    // `check:rules` also checks that `shown-by` leads to a derived check.
    const checked = cases.length + workflows.length > 0 || rule["shown-by"] !== undefined;
    if (!checked && rule.untestable === undefined) {
      return [...unsourced, `${rule.id}: no case or workflow names it. Add one, or give the reason in \`untestable\`.`];
    }
    if (always.length > 0 && rule.untestable !== undefined) {
      return [
        ...unsourced,
        `${rule.id}: it is marked untestable, but ${always.join(", ")} checks it. Remove \`untestable\`.`,
      ];
    }
    return unsourced;
  });
}
