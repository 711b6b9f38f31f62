import type { ContractDocument } from "../document.js";

/** Copies a contract without the components that nothing references, except security schemes, which are named without a reference. */
export function withoutUnusedComponents<T extends Pick<ContractDocument, "components">>(document: T): T {
  const { components, ...rest } = document;
  const used = new Set<string>();
  const follow = (node: unknown): void => {
    for (const pointer of referencesIn(node)) {
      if (used.has(pointer)) continue;
      used.add(pointer);
      const [, , section = "", name = ""] = pointer.split("/");
      follow((components[section] as Record<string, unknown> | undefined)?.[name]);
    }
  };
  follow(rest);
  const sections = Object.entries(components).map(([section, entries]) => {
    const kept = Object.entries(entries as object).filter(
      ([name]) => section === "securitySchemes" || used.has(`#/components/${section}/${name}`),
    );
    return [section, Object.fromEntries(kept)];
  });
  return { ...document, components: Object.fromEntries(sections) };
}

function referencesIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(referencesIn);
  if (typeof node !== "object" || node === null) return [];
  const own = "$ref" in node && typeof node.$ref === "string" ? [node.$ref] : [];
  return [...own, ...Object.values(node).flatMap(referencesIn)];
}
