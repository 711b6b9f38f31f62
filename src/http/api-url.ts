import { CouldNotRunError } from "../base/could-not-run-error.js";
import { hasMoreThanPath, parseHttpUrl } from "./http-url.js";

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
