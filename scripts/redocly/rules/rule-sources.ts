import type { ContractDocument, OperationObject } from "../../../src/contract/rest/document.js";
import type { Rule } from "../../../src/contract/rest/rule.js";
import type { Location, Visitor, VisitorContext } from "../../../src/lint/rest/visitor.js";
import { sourceProblem } from "../../source-locators.js";

const topics = ["conventions", "authentication", "errors", "limits", "versioning"];

/** Each rule names its place in the requirements. Rules without an operation belong to a topic, the others to a feature. */
export function ruleSources(): Visitor {
  function check(rules: readonly Rule[], location: Location, report: VisitorContext["report"]) {
    for (const [index, rule] of rules.entries()) {
      const problem = sourceProblem(rule.source);
      if (problem !== undefined)
        report({ message: `Rule \`${rule.id}\`: ${problem}`, location: location.child(["x-rules", index]) });
    }
  }
  return {
    Root(root: ContractDocument, { location, report }: VisitorContext) {
      const rules = root["x-rules"] ?? [];
      check(rules, location, report);
      for (const [index, { id }] of rules.entries()) {
        if (topics.some((topic) => String(id).startsWith(`${topic}.`))) continue;
        const message = `Rule \`${id}\`: begin the id with ${topics.map((topic) => `\`${topic}.\``).join(" or ")}.`;
        report({ message, location: location.child(["x-rules", index]) });
      }
    },
    Operation(operation: OperationObject, { location, report }: VisitorContext) {
      if (!operation["x-feature"])
        report({ message: "The operation needs `x-feature`: `<resource>.<verb>`.", location: location.key() });
      check(operation["x-rules"] ?? [], location, report);
    },
  };
}
