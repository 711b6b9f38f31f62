import { urlOfDocument } from "../../../http/api-url.js";
import type { Presence } from "../../run/presence.js";

/** Adds to the operations that a server lacks where its API may be, if it has none at a URL that lacks the path of the document. */
export function hintAtPath(
  presence: ReadonlyMap<string, Presence>,
  url: string,
  path: string,
): ReadonlyMap<string, Presence> {
  const documented = urlOfDocument(url, path);
  if (documented === undefined || [...presence.values()].some(({ kind }) => kind === "there")) return presence;
  const hint = `the document's servers have the path ${path}, so the API may be at ${documented}`;
  return new Map(
    [...presence].map(([id, found]) => [
      id,
      found.kind === "not-implemented" ? { ...found, why: `${found.why}; ${hint}` } : found,
    ]),
  );
}
