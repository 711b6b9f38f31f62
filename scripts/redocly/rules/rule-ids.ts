import type { ContractDocument, OperationObject } from "../../../src/contract/rest/document.js";
import type { Rule } from "../../../src/contract/rest/rule.js";
import { strengthProblems } from "../../../src/contract/strength.js";
import { sourceProblem } from "../../source-locators.js";
import type { Location, Visitor, VisitorContext } from "../visitor.js";

const keys = [
  "id",
  "party",
  "strength",
  "text",
  "source",
  "gap",
  "since",
  "until",
  "untestable",
  "fixes-status",
  "shown-by",
  "strain",
  "seen",
];
const shared = ["conventions", "authentication", "errors", "limits", "versioning"];

/** Each rule has an id that begins with the feature, a sentence and a source. Ids and sentences are unique. */
export function ruleIds(): Visitor {
  const seen = new Set<string>();
  function check(
    rules: readonly Rule[],
    prefixes: readonly string[],
    location: Location,
    report: VisitorContext["report"],
  ) {
    for (const [index, rule] of rules.entries()) {
      const say = (message: string) =>
        report({ message: `Rule \`${rule.id}\`: ${message}`, location: location.child(["x-rules", index]) });
      const prefix = prefixes.find((candidate) => String(rule.id).startsWith(`${candidate}.`));
      if (prefix === undefined) say(`begin the id with ${prefixes.map((name) => `\`${name}.\``).join(" or ")}.`);
      else if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(rule.id.slice(prefix.length + 1)))
        say("write the rest of the id in kebab-case.");
      if (seen.has(rule.id)) say("another rule has this id; choose a different one.");
      seen.add(rule.id);
      if (!/\S.*\.$/s.test(rule.text ?? "")) say("`text` must be a whole sentence with a full stop.");
      const unsourced = sourceProblem(rule.source);
      if (unsourced !== undefined) say(unsourced);
      for (const key of Object.keys(rule))
        if (!keys.includes(key)) say(`\`${key}\` is not a key of a rule; use ${keys.join(", ")}.`);
      for (const problem of strengthProblems(rule)) say(problem);
      if (rule.untestable !== undefined && !/\S/.test(rule.untestable)) say("`untestable` must say why.");
      if (rule["fixes-status"] !== undefined && rule["fixes-status"] !== true)
        say("`fixes-status` is true or omitted.");
      for (const level of [rule.since, rule.until]) {
        if (level !== undefined && !(Number.isInteger(level) && level > 0))
          say("`since` and `until` are feature levels, whole numbers above 0.");
      }
      if (rule.since !== undefined && rule.until !== undefined && rule.since >= rule.until)
        say("`until` must be above `since`.");
    }
  }
  return {
    Root(root: ContractDocument, { location, report }: VisitorContext) {
      check(root["x-rules"] ?? [], shared, location, report);
    },
    Operation(operation: OperationObject, { location, report }: VisitorContext) {
      if (!operation["x-feature"])
        report({ message: "The operation needs `x-feature`: `<resource>.<verb>`.", location: location.key() });
      else check(operation["x-rules"] ?? [], [operation["x-feature"]], location, report);
    },
  };
}
