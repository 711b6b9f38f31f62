import type { Schema } from "../../../src/contract/rest/document.js";
import type { Visitor, VisitorContext } from "../../../src/lint/rest/visitor.js";

/** Every object states whether it allows undocumented fields. */
export function decidesAdditionalProperties(): Visitor {
  return {
    Schema(schema: Schema, { location, report }: VisitorContext) {
      const isObject =
        schema.type === "object" || (Array.isArray(schema.type) && schema.type.includes("object")) || schema.properties;
      if (isObject && schema.additionalProperties === undefined) {
        report({
          message: "Write `additionalProperties: true`: objects of this API are open.",
          location: location.key(),
        });
      }
    },
  };
}
