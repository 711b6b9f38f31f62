import type { Resolve } from "../../schema/direction.js";
import { valueAt } from "../json-pointer.js";

/** Finds what a reference within a document names, also one that `withSharedRefs` has rewritten. */
export function resolverOf(document: object): Resolve {
  return (ref) => {
    const at = ref.indexOf("#");
    return at < 0 ? undefined : valueAt(document, ref.slice(at));
  };
}
