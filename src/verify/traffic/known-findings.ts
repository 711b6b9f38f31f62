import type { Check } from "../check.js";

const findingName = /^(?:client|server) ([^:]+): \S/;

/** Known findings that did not occur although their operation was called, so the list is out of date. */
export function resolvedFindings(known: ReadonlyMap<string, string>, checks: readonly Check[]): Check[] {
  const seen = new Set(checks.map(({ operation }) => operation));
  const ids = new Set(checks.map(({ id }) => id));
  return [...known.keys()].flatMap((id): Check[] => {
    const operation = findingName.exec(id)?.[1];
    if (operation === undefined || ids.has(id) || !seen.has(operation)) return [];
    const kind = id.startsWith("client") ? "request" : "response";
    return [
      { id, kind, operation, summary: "It did not occur.", rules: [], outcome: { kind: "passed" }, durationMs: 0 },
    ];
  });
}

/** The known-failing names that can belong to findings. */
export function knownFindings(
  known: ReadonlyMap<string, string>,
  isOperation: (operation: string) => boolean,
): string[] {
  return [...known.keys()].filter((id) => isOperation(findingName.exec(id)?.[1] ?? ""));
}
