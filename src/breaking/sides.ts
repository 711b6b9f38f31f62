import { pointerKeys, valueAt } from "../contract/json-pointer.js";
import type { ContractDocument } from "../contract/rest/document.js";
import { listOperations } from "../contract/rest/operations.js";

/** Who writes what a part of a document describes: clients or servers. */
export type Side = "request" | "response";

/** Returns a function that says whether requests or responses have the part of a document with these keys. */
export function createSides(document: ContractDocument): (keys: readonly string[], side: Side) => boolean {
  const operations = listOperations(document).map(({ operation }) => operation);
  const schemas: Readonly<Record<Side, ReadonlySet<string>>> = {
    request: schemasBelow(
      document,
      operations.map(({ parameters, requestBody }) => [parameters, requestBody]),
    ),
    response: schemasBelow(
      document,
      operations.map(({ responses }) => responses),
    ),
  };
  return (keys, side) => {
    const [root, section = "", name = ""] = keys;
    if (root === "components" && section === "schemas") return schemas[side].has(name);
    if (root === "components")
      return side === (/^(?:parameters|requestBodies)$/.test(section) ? "request" : "response");
    return side === (keys.includes("responses") ? "response" : "request");
  };
}

/** The names of the schemas that values refer to, also by way of others. */
function schemasBelow(document: ContractDocument, value: unknown): ReadonlySet<string> {
  const seen = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { $ref: reference } = node as { readonly $ref?: unknown };
    if (typeof reference === "string" && reference.startsWith("#") && !seen.has(reference)) {
      seen.add(reference);
      visit(valueAt(document, reference));
    }
    for (const one of Object.values(node)) visit(one);
  };
  visit(value);
  const isSchema = (keys: readonly string[]) => keys[0] === "components" && keys[1] === "schemas";
  return new Set(
    [...seen]
      .map(pointerKeys)
      .filter(isSchema)
      .map((keys) => keys[2] ?? ""),
  );
}
