import type { Entry } from "../../entry.js";
import { shownScheme } from "../../schemes/shown-scheme.js";
import { type Draft, finishDraft } from "./draft.js";
import { type Fields, textOf } from "./fields.js";

/** How the objects of a format are read, by their `type`. */
export interface ProxyTypes {
  readonly readers: ReadonlyMap<string, (fields: Fields) => Draft>;
  /** Types that are no proxies but ways to choose among them, or to go without. */
  readonly notNodes: ReadonlySet<string>;
}

/** Reads an object by its `type`. Undefined when it is no proxy. A rejection holds nothing of it but its type. */
export function readTyped(fields: Fields, { readers, notNodes }: ProxyTypes): Entry | undefined {
  const written = textOf(fields, "type");
  const type = written.toLowerCase();
  if (notNodes.has(type)) return undefined;
  const reader = readers.get(type);
  if (reader === undefined) return { kind: "rejected", scheme: shownScheme(written), reason: "unknown-type" };
  const result = finishDraft(reader(fields));
  return typeof result === "string"
    ? { kind: "rejected", scheme: type, reason: result }
    : { kind: "node", node: result };
}
