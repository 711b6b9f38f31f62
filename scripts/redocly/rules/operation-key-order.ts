import type { OperationObject } from "../../../src/contract/rest/document.js";
import type { Visitor, VisitorContext } from "../../../src/lint/rest/visitor.js";

const order = [
  "operationId",
  "summary",
  "description",
  "externalDocs",
  "tags",
  "x-feature",
  "x-protocol",
  "x-typical-case",
  "x-feature-level",
  "deprecated",
  "security",
  "parameters",
  "requestBody",
  "responses",
  "x-rules",
];

/** The keys of all operations have the same order. */
export function operationKeyOrder(): Visitor {
  return {
    Operation(operation: OperationObject, { location, report }: VisitorContext) {
      let last = -1;
      for (const key of Object.keys(operation)) {
        const place = order.indexOf(key);
        if (place === -1) {
          report({
            message: `\`${key}\` is not a key of our operations: use ${order.join(", ")}.`,
            location: location.child([key]).key(),
          });
        } else if (place < last) {
          report({ message: `Write \`${key}\` before \`${order[last]}\`.`, location: location.child([key]).key() });
        }
        last = Math.max(last, place);
      }
    },
  };
}
