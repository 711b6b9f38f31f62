import { isClientRule } from "../../../contract/rest/client-rules.js";
import type { ContractDocument, ExampleObject, OperationObject } from "../../../contract/rest/document.js";
import { reliesOnProblems } from "../../../contract/rest/relies-on-problems.js";
import type { Rule } from "../../../contract/rest/rule.js";
import type { Location, Visitor, VisitorContext } from "../visitor.js";

/** `relies-on` of a case, of `x-refers-to` and of `shown-by` names only recommendations that exist. */
export function reliesOn(): Visitor {
  const rules: Rule[] = [];
  const found: { readonly holder: object; readonly location: Location }[] = [];

  function add(holder: object | undefined, location: Location) {
    if (holder !== undefined && "relies-on" in holder) found.push({ holder, location });
  }
  function addRules(own: readonly Rule[], location: Location) {
    rules.push(...own.filter((rule) => !isClientRule(rule)));
    for (const [index, rule] of own.entries()) add(rule["shown-by"], location.child(["x-rules", index, "shown-by"]));
  }

  return {
    Root: {
      enter(root: ContractDocument, { location }: VisitorContext) {
        addRules(root["x-rules"] ?? [], location);
      },
      leave(_: ContractDocument, { report }: VisitorContext) {
        for (const { holder, location } of found) {
          for (const { text } of reliesOnProblems(Reflect.get(holder, "relies-on"), rules))
            report({ message: text, location: location.child(["relies-on"]) });
        }
      },
    },
    Operation(operation: OperationObject, { location }: VisitorContext) {
      addRules(operation["x-rules"] ?? [], location);
      for (const [index, parameter] of (operation.parameters ?? []).entries()) {
        if ("name" in parameter) add(parameter["x-refers-to"], location.child(["parameters", index, "x-refers-to"]));
      }
      for (const [type, { encoding = {} }] of Object.entries(operation.requestBody?.content ?? {})) {
        for (const [name, field] of Object.entries(encoding))
          add(field["x-refers-to"], location.child(["requestBody", "content", type, "encoding", name, "x-refers-to"]));
      }
    },
    Example(example: ExampleObject, { location }: VisitorContext) {
      add(example["x-case"], location.child(["x-case"]));
    },
  };
}
