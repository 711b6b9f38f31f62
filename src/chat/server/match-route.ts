import { percentDecodeStrictly } from "../../percent-decode.js";
import type { Operation } from "../operation.js";

/** The result of routing a method and path. */
export type RouteMatch<Id extends string = string> =
  | {
      readonly kind: "found";
      readonly operationId: Id;
      readonly operation: Operation;
      readonly path: Readonly<Record<string, string>>;
    }
  | { readonly kind: "method-not-allowed"; readonly allow: readonly string[] }
  | { readonly kind: "not-found" };

interface Route<Id> {
  readonly operationId: Id;
  readonly operation: Operation;
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

/**
 * Creates a function that finds the operation for a method and a path below `/api/v1`.
 *
 * It matches the encoded path and decodes the values afterwards, so that `%2F` is part of a value. A value of kind `segments`, which
 * is always the last, may also contain plain slashes. A path without placeholders takes precedence. Values with malformed
 * percent-encoding match nothing.
 */
export function createRouter<Id extends string>(
  operations: Readonly<Record<Id, Operation>>,
): (method: string, path: string) => RouteMatch<Id> {
  const routes = (Object.entries(operations) as [Id, Operation][])
    .map(toRoute)
    .sort((a, b) => a.names.length - b.names.length);
  return (method, path) => {
    const allow = new Set<string>();
    for (const { operationId, operation, pattern, names } of routes) {
      const match = pattern.exec(path);
      if (match === null) continue;
      if (operation.method !== method) {
        allow.add(operation.method);
        continue;
      }
      const values = match.slice(1).map(percentDecodeStrictly);
      if (values.includes(undefined)) continue;
      return {
        kind: "found",
        operationId,
        operation,
        path: Object.fromEntries(names.map((name, i) => [name, values[i] ?? ""])),
      };
    }
    return allow.size === 0 ? { kind: "not-found" } : { kind: "method-not-allowed", allow: [...allow].sort() };
  };
}

function toRoute<Id extends string>([operationId, operation]: [Id, Operation]): Route<Id> {
  const names = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
  const source = operation.path
    .split(/\{[^{}]+\}/)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("([^/]+)");
  const last = operation.parameters[names.at(-1) ?? ""];
  const pattern = last === "segments" ? source.replace(/\(\[\^\/\]\+\)$/, "(.+)") : source;
  return { operationId, operation, names, pattern: new RegExp(`^${pattern}$`) };
}
