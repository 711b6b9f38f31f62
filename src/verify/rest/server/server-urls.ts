import { CouldNotRunError } from "../../../base/could-not-run-error.js";
import { hasMoreThanPath, parseHttpUrl } from "../../http/http-url.js";
import type { Presence } from "../../run/presence.js";

/** An API by its name and path. */
export interface ApiPath {
  /** The name of the contract. */
  readonly name: string;
  /** The path of the API, such as `/api/v1`; empty if it is at the root. */
  readonly path: string;
  /** The servers of its document, which show what a URL looks like. */
  readonly servers?: readonly { readonly url: string }[];
}

/**
 * Returns the URL of an API without a slash at its end. Its path may be another than that of the document, whose `servers` are examples.
 * Throws a `CouldNotRunError` that says what to write and quotes nothing of the URL, which may hold secrets.
 */
export function apiUrl(text: string, { name, path, servers = [] }: ApiPath): string {
  const url = parseHttpUrl(text);
  if (url === undefined) {
    const known = servers
      .map((server) => server.url)
      .find((one) => /^https?:\/\/[^{}]+$/.test(one) && one.replace(/\/+$/, "").endsWith(path));
    const example = known ?? `https://server.example${path}`;
    throw new CouldNotRunError(`The URL of a ${name} server must be http or https, such as ${example}`);
  }
  if (hasMoreThanPath(url)) {
    throw new CouldNotRunError(
      `The URL of a ${name} server must not have credentials, a query or a fragment; the credentials come from the provider states`,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** The URL to try if an API is not where the user says: with the path that the document gives. Undefined if the URL ends with it. */
export function urlOfDocument(url: string, path: string): string | undefined {
  if (url.endsWith(path)) return undefined;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, "")}${path}`;
}

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
