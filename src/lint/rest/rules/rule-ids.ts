import type { ContractDocument, OperationObject } from "../../../contract/rest/document.js";
import type { Rule } from "../../../contract/rest/rule.js";
import { strengthProblems } from "../../../contract/strength.js";
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

/** Each rule has an id that begins with the feature or the id of its operation, and a sentence. Ids are unique. */
export function ruleIds(): Visitor {
  const seen = new Set<string>();
  function check(
    rules: readonly Rule[],
    prefix: string | undefined,
    location: Location,
    report: VisitorContext["report"],
  ) {
    for (const [index, rule] of rules.entries()) {
      const say = (message: string) =>
        report({ message: `Rule \`${rule.id}\`: ${message}`, location: location.child(["x-rules", index]) });
      const id = String(rule.id);
      const [topic = "", rest] = prefix === undefined ? id.split(/\.(.*)/) : [prefix, id.slice(prefix.length + 1)];
      if (!id.startsWith(`${topic}.`))
        say(
          prefix === undefined ? "begin the id with a topic, such as `errors.`." : `begin the id with \`${topic}.\`.`,
        );
      else if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(rest ?? "")) say("write the rest of the id in kebab-case.");
      if (seen.has(rule.id)) say("another rule has this id; choose a different one.");
      seen.add(rule.id);
      if (!/\S.*\.$/s.test(rule.text ?? "")) say("`text` must be a whole sentence with a full stop.");
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
      check(root["x-rules"] ?? [], undefined, location, report);
    },
    Operation(operation: OperationObject, { location, report }: VisitorContext) {
      check(operation["x-rules"] ?? [], operation["x-feature"] ?? operation.operationId, location, report);
    },
  };
}
