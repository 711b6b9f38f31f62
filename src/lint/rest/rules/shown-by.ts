import type { ContractDocument, OperationObject, Schema } from "../../../contract/rest/document.js";
import type { Rule, ShownBy } from "../../../contract/rest/rule.js";
import { createStateCatalogue } from "../../../contract/rest/states/catalogue.js";
import { didYouMean } from "../../../contract/yaml-source.js";
import { parameterNames } from "../parameter-names.js";
import type { Location, Visitor, VisitorContext } from "../visitor.js";

/** The kinds of check, each with the keys that it takes besides `kind`; those with `?` may be omitted. */
const kinds: Readonly<Record<ShownBy["kind"], readonly string[]>> = {
  "deactivated-account": [],
  "error-status": [],
  "form-charset": [],
  "ignored-parameters": ["at"],
  "missing-parameter": ["parameter"],
  "missing-role": ["role", "allows?"],
  "no-credentials": [],
  "unknown-parameters": [],
  "wrong-credentials": [],
};

/** `shown-by` of a rule names a kind of check, and a parameter, role and rule that exist. */
export function shownBy(): Visitor {
  let callers: readonly string[] = [];
  return {
    Root(root: ContractDocument, { location, report }: VisitorContext) {
      ({ callers } = createStateCatalogue(location.source.absoluteRef));
      const rules = root["x-rules"] ?? [];
      for (const [index, rule] of rules.entries()) {
        const place = location.child(["x-rules", index]);
        const keys = readKeys(rule, place, report);
        if (keys.parameter !== undefined || keys.role !== undefined) {
          report({ message: `\`${keys.kind}\` needs an operation: move the rule to one.`, location: place });
        }
      }
    },
    Operation(operation: OperationObject, { location, report, resolve }: VisitorContext) {
      const rules = operation["x-rules"] ?? [];
      for (const [index, rule] of rules.entries()) {
        const place = location.child(["x-rules", index]);
        const { parameter, role, allows } = readKeys(rule, place, report);
        const say = (message: string) => report({ message: `Rule \`${rule.id}\`: ${message}`, location: place });
        if (parameter !== undefined) {
          const names = parameterNames(operation, (schema) => resolve<Schema>(schema).node);
          if (!names.includes(parameter))
            say(`there is no parameter \`${parameter}\`; ${didYouMean(parameter, names)}`);
        }
        if (role !== undefined && !callers.includes(role))
          say(`there is no role \`${role}\`; ${didYouMean(role, callers)}`);
        const ids = rules.map(({ id }) => id);
        if (allows !== undefined && !ids.includes(allows))
          say(`the operation has no rule \`${allows}\`; ${didYouMean(allows, ids)}`);
      }
    },
  };
}

/** Reports keys that `shown-by` of a rule must not have or lacks, and returns those that are texts. */
function readKeys(rule: Rule, location: Location, report: VisitorContext["report"]): Readonly<Record<string, string>> {
  const value: unknown = rule["shown-by"];
  if (value === undefined) return {};
  const say = (message: string) => report({ message: `Rule \`${rule.id}\`: ${message}`, location });
  const given = Object.entries(Object(value)).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  const { kind = "", ...others } = Object.fromEntries(given);
  const keys = Object.hasOwn(kinds, kind) ? kinds[kind as ShownBy["kind"]] : undefined;
  if (keys === undefined) {
    say(`\`shown-by\` needs a \`kind\`: ${Object.keys(kinds).join(", ")}.`);
    return {};
  }
  const allowed = ["kind", "relies-on", ...keys.map((key) => key.replace("?", ""))];
  const unknown = Object.keys(Object(value)).filter((key) => !allowed.includes(key));
  const missing = keys.filter((key) => !key.endsWith("?") && others[key] === undefined);
  for (const key of unknown) say(`\`shown-by\` of the kind \`${kind}\` has no key \`${key}\`; remove it.`);
  for (const key of missing) say(`\`shown-by\` of the kind \`${kind}\` needs \`${key}\`.`);
  return { kind, ...others };
}
