import { valuesAt } from "../../../contract/json-pointer.js";
import { isClientRule } from "../../../contract/rest/client-rules.js";
import type {
  ContractDocument,
  ExampleObject,
  OperationObject,
  ResponseObject,
} from "../../../contract/rest/document.js";
import { impliedRules } from "../../../contract/rest/implied-rules.js";
import type { Rule } from "../../../contract/rest/rule.js";
import { rulesBeside } from "../../../contract/rest/rules-file.js";
import { credentialNames } from "../../../contract/rest/security.js";
import { createStateCatalogue } from "../../../contract/rest/states/catalogue.js";
import { didYouMean } from "../../../contract/yaml-source.js";
import type { Location, Visitor, VisitorContext } from "../visitor.js";

interface FoundCase {
  readonly example: ExampleObject;
  readonly location: Location;
}

/** A case has one status, refers only to existing rules, states, callers and values, and gives states valid parameters. */
export function caseKnownNames(): Visitor {
  const rules = new Set<string>();
  const found: FoundCase[] = [];
  // Cases test servers, so they must not name rules about clients.
  const add = (own: readonly Rule[] = []) => {
    for (const rule of own) if (!isClientRule(rule)) rules.add(rule.id);
  };
  return {
    Root: {
      enter(root: ContractDocument, { location }: VisitorContext) {
        add(root["x-rules"]);
        add(rulesBeside(location.source.absoluteRef));
      },
      leave(root: ContractDocument, { location, report }: VisitorContext) {
        const catalogue = createStateCatalogue(location.source.absoluteRef);
        for (const { example, location: place } of found) {
          const notes = example["x-case"];
          if (notes === undefined) continue;
          const say = (key: string, message: string) => report({ message, location: place.child(["x-case", key]) });
          if (typeof notes.rule !== "string")
            report({ message: "`x-case` needs a `rule`.", location: place.child(["x-case"]).key() });
          for (const [key, ids] of [
            ["rule", [notes.rule]],
            ["also", notes.also ?? []],
          ] as const) {
            for (const id of ids)
              if (!rules.has(id))
                say(key, `There is no rule \`${id}\`: add it to \`x-rules\`, or name one that exists.`);
          }
          const unknown =
            typeof notes.as === "object"
              ? Object.keys(notes.as).filter((one) => !credentialNames(root).includes(one))
              : [];
          for (const name of unknown)
            say("as", `No request logs in by \`${name}\`: ${didYouMean(name, credentialNames(root))}`);
          if (!Array.isArray(notes.given))
            report({
              message: "`x-case` needs `given`; write `given: []` for none.",
              location: place.child(["x-case"]).key(),
            });
          else for (const message of catalogue.problems(notes)) say("given", message);
          for (const pointer of notes.exact ?? []) {
            if (valuesAt(example.value, pointer).length === 0)
              say("exact", `\`${pointer}\` leads to nothing in the value of the example.`);
          }
        }
      },
    },
    Operation(operation: OperationObject, { location, report, resolve }: VisitorContext) {
      add(operation["x-rules"]);
      for (const id of Object.values(impliedRules(operation.operationId))) rules.add(id);
      for (const [status, given] of Object.entries(operation.responses ?? {})) {
        if (/^\d+$/.test(status)) continue;
        const response = resolve<ResponseObject>(given);
        const place = response.location ?? location.child(["responses", status]);
        for (const [type, { examples = {} }] of Object.entries(response.node?.content ?? {}))
          for (const [name, example] of Object.entries(examples)) {
            const { node, location: own = place.child(["content", type, "examples", name]) } =
              resolve<ExampleObject>(example);
            if (node?.["x-case"] === undefined) continue;
            const message = `A case expects one status, but this example is of the response \`${status}\`: move it to that of a status, such as \`"404"\`.`;
            report({ message, location: own.child(["x-case"]).key() });
          }
      }
    },
    Example(example: ExampleObject, { location }: VisitorContext) {
      if (example["x-case"] !== undefined) found.push({ example, location });
    },
  };
}
