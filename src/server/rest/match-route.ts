import { percentDecodeStrictly } from "../../base/percent-decode.js";
import type { Operation } from "../../request/operation.js";

/** What the router needs of an operation. */
export type Routable = Pick<Operation, "method" | "path" | "parameters">;

/** The result of routing a method and path. */
export type RouteMatch<Id extends string = string, Row extends Routable = Routable> =
  | {
      readonly kind: "found";
      readonly operationId: Id;
      readonly operation: Row;
      readonly path: Readonly<Record<string, string>>;
      /** The same, percent-encoded as sent. */
      readonly rawPath: Readonly<Record<string, string>>;
    }
  | { readonly kind: "method-not-allowed"; readonly allow: readonly string[] }
  | { readonly kind: "not-found" };

interface Route<Id, Row> {
  readonly operationId: Id;
  readonly operation: Row;
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

/**
 * Creates a function that finds the operation for a method and a path below that of the API.
 *
 * It matches the encoded path and decodes the values afterwards, so that `%2F` is part of a value. A value with `slashes`, which
 * is always the last, may also contain plain slashes. Of several paths that match, that with the fewest placeholders takes precedence, then
 * that whose first segments say more; of paths that differ in the names of placeholders only, the first. Values with malformed percent-encoding
 * match nothing.
 */
export function createRouter<Id extends string, Row extends Routable = Routable>(
  operations: Readonly<Record<Id, Row>>,
): (method: string, path: string) => RouteMatch<Id, Row> {
  const routes = (Object.entries(operations) as [Id, Row][])
    .map(toRoute<Id, Row>)
    .sort((a, b) => a.names.length - b.names.length || compareConcreteness(a.operation.path, b.operation.path));
  return (method, path) => {
    const allow = new Set<string>();
    for (const { operationId, operation, pattern, names } of routes) {
      const match = pattern.exec(path);
      if (match === null) continue;
      if (operation.method !== method) {
        allow.add(operation.method);
        continue;
      }
      const raw = match.slice(1);
      const values = raw.map(percentDecodeStrictly);
      if (values.includes(undefined)) continue;
      return {
        kind: "found",
        operationId,
        operation,
        path: Object.fromEntries(names.map((name, i) => [name, values[i] ?? ""])),
        rawPath: Object.fromEntries(names.map((name, i) => [name, raw[i] ?? ""])),
      };
    }
    return allow.size === 0 ? { kind: "not-found" } : { kind: "method-not-allowed", allow: [...allow].sort() };
  };
}

/** Compares paths by how much of each segment is fixed, the first ones first. */
function compareConcreteness(a: string, b: string): number {
  const [first, second] = [a, b].map((path) => path.split("/").map(fixedLength));
  const at = first?.findIndex((length, i) => length !== second?.[i]) ?? -1;
  return at < 0 ? 0 : (second?.[at] ?? 0) - (first?.[at] ?? 0);
}

/** How many characters of a segment are fixed: more than any other has if all are. */
function fixedLength(segment: string): number {
  return segment.includes("{") ? segment.replace(/\{[^{}]+\}/g, "").length : Number.MAX_SAFE_INTEGER;
}

function toRoute<Id extends string, Row extends Routable>([operationId, operation]: [Id, Row]): Route<Id, Row> {
  const names = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
  const source = operation.path
    .split(/\{[^{}]+\}/)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("([^/]+)");
  const last = operation.parameters.find(({ name }) => name === names.at(-1));
  const pattern = last?.slashes ? source.replace(/\(\[\^\/\]\+\)$/, "(.+)") : source;
  return { operationId, operation, names, pattern: new RegExp(`^${pattern}$`) };
}
