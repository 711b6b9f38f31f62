import type { ContractDocument, OperationObject, Schema } from "../../../contract/rest/document.js";
import type { Rule } from "../../../contract/rest/rule.js";
import { createClientRuleCheck } from "../client-rule-problems.js";
import { parameterNames } from "../parameter-names.js";
import type { Location, Visitor, VisitorContext } from "../visitor.js";

/** A rule about clients has a valid `seen`, a `strain` or a reason why no traffic shows it; other rules have neither. */
export function clientRules(): Visitor {
  const check = createClientRuleCheck();
  const operations = new Map<string, readonly string[]>();
  const found: { readonly rule: Rule; readonly location: Location }[] = [];

  function add(rules: readonly Rule[] = [], location: Location) {
    for (const [index, rule] of rules.entries()) found.push({ rule, location: location.child(["x-rules", index]) });
  }

  return {
    Root: {
      enter(root: ContractDocument, { location }: VisitorContext) {
        add(root["x-rules"], location);
      },
      leave(_: ContractDocument, { report }: VisitorContext) {
        for (const { rule, location } of found) {
          for (const problem of check(rule, operations))
            report({ message: `Rule \`${rule.id}\`: ${problem}`, location });
        }
      },
    },
    Operation(operation: OperationObject, { location, resolve }: VisitorContext) {
      operations.set(
        operation.operationId,
        parameterNames(operation, (node) => resolve<Schema>(node).node),
      );
      add(operation["x-rules"], location);
    },
  };
}
