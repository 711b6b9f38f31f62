import type { ParameterObject, Schema } from "../../../contract/rest/document.js";
import { parameterSchema } from "../../../contract/rest/operations.js";
import type { Visitor, VisitorContext } from "../visitor.js";

/** Every parameter and schema has a description, and every value an example. */
export function described(): Visitor {
  return {
    Parameter(parameter: ParameterObject, { location, report, resolve }: VisitorContext) {
      if (!parameter.description)
        report({ message: `Parameter \`${parameter.name}\` needs a \`description\`.`, location: location.key() });
      const schema = resolve<Schema>(parameterSchema(parameter)).node;
      if (parameter.example === undefined && parameter.examples === undefined && schema?.examples === undefined) {
        report({ message: `Parameter \`${parameter.name}\` needs an \`example\`.`, location: location.key() });
      }
    },
    Schema(schema: Schema, { location, report }: VisitorContext) {
      // Schemas in `not` and lists of alternatives need no description of their own.
      if (location.pointer.endsWith("/not") || Object.keys(schema).join() === "anyOf") return;
      if (!schema.description) report({ message: "This schema needs a `description`.", location: location.key() });
      else if (/^optional\b/i.test(schema.description)) {
        report({
          message: "Remove “Optional”: `required` already says it.",
          location: location.child(["description"]),
        });
      }
      const shownInside = ["properties", "items", "anyOf", "oneOf"].some((key) => key in schema);
      if (!shownInside && schema.examples === undefined) {
        report({ message: "This schema needs an example: write `examples: [...]`.", location: location.key() });
      }
    },
  };
}
