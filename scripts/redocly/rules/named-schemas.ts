import type { Schema } from "../../../src/contract/chat/document.js";
import type { Visitor, VisitorContext } from "../visitor.js";

/** Every object has a file, and with it a name in types and documentation. `allOf` is not used, so that each file can be read alone. */
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
