import { groupBy } from "../group-by.js";
import { brokenRules } from "../judge-rules.js";
import type { PageCheck, PageModel } from "./page-model.js";

/** Checks that did not come out as they should, with what they have in common. */
export interface FailureGroup {
  readonly topic: FailureTopic;
  readonly checks: readonly PageCheck[];
}

/** What failures have in common. */
export type FailureTopic =
  /** The first rule of the report that each of them broke. */
  | { readonly kind: "rule"; readonly id: string }
  /** They break no rule of the report: an operation answers otherwise than its schemas say. */
  | { readonly kind: "operation"; readonly operation: string }
  /** They are known to fail, and passed. */
  | { readonly kind: "stale" }
  /** They could not run, for the same reason. */
  | { readonly kind: "errored"; readonly reason: string };

/** Groups checks that are described in full, in the order in which people want to know: broken rules first. */
export function groupFailures(checks: readonly PageCheck[], { ruleOf }: Pick<PageModel, "ruleOf">): FailureGroup[] {
  const withTopics = checks.map((check) => ({ check, topic: topicOf(check, ruleOf) }));
  const groups = [...groupBy(withTopics, ({ topic }) => keyOf(topic)).values()].flatMap((group) => {
    const topic = group[0]?.topic;
    return topic === undefined ? [] : [{ topic, checks: group.map(({ check }) => check) }];
  });
  return order.flatMap((kind) => groups.filter(({ topic }) => topic.kind === kind));
}

const order = ["rule", "operation", "stale", "errored"] as const satisfies FailureTopic["kind"][];

function topicOf({ check, verdict }: PageCheck, ruleOf: PageModel["ruleOf"]): FailureTopic {
  if (check.outcome.kind === "errored") return { kind: "errored", reason: check.outcome.reason };
  if (verdict === "stale") return { kind: "stale" };
  const id = brokenRules(check).find((rule) => ruleOf(rule) !== undefined);
  return id === undefined ? { kind: "operation", operation: check.operation } : { kind: "rule", id };
}

function keyOf(topic: FailureTopic): string {
  switch (topic.kind) {
    case "rule":
      return `rule ${topic.id}`;
    case "operation":
      return `operation ${topic.operation}`;
    case "stale":
      return "stale";
    case "errored":
      return `errored ${topic.reason}`;
  }
}
