import { isClientRule } from "../../../contract/rest/client-rules.js";
import type {
  ContractDocument,
  EncodingObject,
  OperationObject,
  ParameterObject,
  Schema,
} from "../../../contract/rest/document.js";
import { parameterSchema } from "../../../contract/rest/operations.js";
import type { Rule } from "../../../contract/rest/rule.js";
import type { Location, Visitor, VisitorContext } from "../visitor.js";

const serverRules = (rules: readonly Rule[] = []) => rules.filter((rule) => !isClientRule(rule));
const keys = ["kind", "inaccessible", "absent-from", "rules", "relies-on"];

/** `x-refers-to` is well-formed and names rules that apply to its operation. Every id in a path has it. */
export function refersTo(): Visitor {
  const shared = new Set<string>();

  function check(value: unknown, rules: ReadonlySet<string>, location: Location, report: VisitorContext["report"]) {
    const say = (message: string) => report({ message: `x-refers-to: ${message}`, location });
    const {
      kind,
      inaccessible,
      "absent-from": list,
      rules: named = [],
      "relies-on": _,
      ...others
    } = Object(value) as Record<string, unknown>;
    if (typeof kind !== "string" || !/^[a-z]+(-[a-z]+)*$/.test(kind))
      say("`kind` must say in kebab-case what the value refers to, such as `purchase-order`.");
    if (inaccessible !== undefined && inaccessible !== "allowed")
      say("`inaccessible` must be `allowed`; omit it if the request fails.");
    if (list !== undefined && !/^\//.test(String(list)))
      say("`absent-from` must be the JSON pointer of a list in the response, such as `/items`.");
    for (const key of Object.keys(others)) say(`\`${key}\` is not a key; use ${keys.join(", ")}.`);
    if (!Array.isArray(named)) say("`rules` must be a list of ids.");
    else
      for (const id of named) {
        if (!rules.has(id)) say(`neither the operation nor the root of the contract has a rule \`${id}\`.`);
      }
  }

  return {
    Root(root: ContractDocument) {
      for (const { id } of serverRules(root["x-rules"])) shared.add(id);
    },
    Operation(operation: OperationObject, { location, report, resolve }: VisitorContext) {
      const rules = new Set([...shared, ...serverRules(operation["x-rules"]).map(({ id }) => id)]);
      const checkHolder = (holder: EncodingObject | ParameterObject, place: Location) => {
        if (holder["x-refers-to"] !== undefined)
          check(holder["x-refers-to"], rules, place.child(["x-refers-to"]), report);
      };
      for (const [index, parameter] of (operation.parameters ?? []).entries()) {
        if (!("name" in parameter)) continue;
        const place = location.child(["parameters", index]);
        checkHolder(parameter, place);
        const { type } = resolve<Schema>(parameterSchema(parameter)).node ?? {};
        if (parameter.in === "path" && type === "integer" && parameter["x-refers-to"] === undefined) {
          const message = `The id \`${parameter.name}\` refers to something: write \`x-refers-to: {kind: …}\`.`;
          report({ message, location: place });
        }
      }
      for (const [type, { encoding = {} }] of Object.entries(operation.requestBody?.content ?? {})) {
        for (const [name, field] of Object.entries(encoding))
          checkHolder(field, location.child(["requestBody", "content", type, "encoding", name]));
      }
    },
  };
}
