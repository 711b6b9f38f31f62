import type { Schema } from "../../../src/contract/rest/document.js";
import type { Visitor, VisitorContext } from "../../../src/lint/rest/visitor.js";

/**
 * Every object has its own file, which names it in types and documentation. `allOf` is not allowed, so that each file
 * is readable on its own.
 */
export function namedSchemas(): Visitor {
  return {
    Schema(schema: Schema, { location, report }: VisitorContext) {
      if (schema.allOf !== undefined) {
        report({
          message: "Write the fields out instead of `allOf`; alternatives are `anyOf`.",
          location: location.child(["allOf"]).key(),
        });
      }
      if (schema.properties !== undefined && location.pointer !== "#/") {
        report({
          message: "Give this object a file in `components/schemas/` and refer to it.",
          location: location.key(),
        });
      }
    },
  };
}
