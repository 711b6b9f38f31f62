import type { ContractDocument, OperationObject, Schema } from "../../../src/contract/rest/document.js";
import type { Rule, ShownBy } from "../../../src/contract/rest/rule.js";
import { didYouMean } from "../../../src/contract/yaml-source.js";
import { createStateCatalogue } from "../../states/catalogue.js";
import { parameterNames } from "../parameter-names.js";
import type { Location, Visitor, VisitorContext } from "../visitor.js";

/** The kinds of check, each with the keys that it takes besides `kind`; those with `?` may be omitted. */
const kinds: Readonly<Record<ShownBy["kind"], readonly string[]>> = {
  "deactivated-account": [],
  "error-status": [],
  "form-charset": [],
  "ignored-parameters": [],
  "missing-parameter": ["parameter"],
  "missing-role": ["role", "allows?"],
  "no-credentials": [],
  "unknown-parameters": [],
  "wrong-credentials": [],
};

/** Kinds that apply to every operation. A rule that is not specific to one operation must name one of these. */
const sharedKinds: readonly string[] = [
  "deactivated-account",
  "form-charset",
  "ignored-parameters",
  "no-credentials",
  "unknown-parameters",
  "wrong-credentials",
];

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
      for (const kind of sharedKinds) {
        if (rules.some((rule) => rule["shown-by"]?.kind === kind)) continue;
        const message = `No rule has \`shown-by: {kind: ${kind}}\`: add it to the rule that these checks show.`;
        report({ message, location: location.child(["x-rules"]).key() });
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
