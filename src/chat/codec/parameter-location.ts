import type { Operation } from "../operation.js";

/** Where a parameter of an operation travels. */
export type ParameterLocation = "path" | "query" | "body";

/** Where a parameter of `operation` travels: in the path when the template names it, else in the query of a GET, else in the body. */
export function parameterLocation(operation: Pick<Operation, "method" | "path">, name: string): ParameterLocation {
  if (operation.path.includes(`{${name}}`)) return "path";
  return operation.method === "GET" ? "query" : "body";
}
