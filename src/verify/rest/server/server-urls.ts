import { CouldNotRunError } from "../../could-not-run-error.js";
import { hasMoreThanPath, parseHttpUrl } from "../../http/http-url.js";

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
 * Returns the URL of an API without a slash at its end. Throws a `CouldNotRunError` that says what to write and quotes nothing of the URL,
 * which may hold secrets.
 */
export function apiUrl(text: string, { name, path, servers = [] }: ApiPath): string {
  const url = parseHttpUrl(text);
  const own = url?.pathname.replace(/\/+$/, "");
  if (url === undefined || own === undefined || !own.endsWith(path)) {
    const end = path === "" ? "" : ` and end with ${path}`;
    const known = servers
      .map((server) => server.url)
      .find((one) => /^https?:\/\/[^{}]+$/.test(one) && one.endsWith(path));
    const example = known ?? `https://server.example${path}`;
    throw new CouldNotRunError(`The URL of a ${name} server must be http or https${end}, such as ${example}`);
  }
  if (hasMoreThanPath(url)) {
    throw new CouldNotRunError(
      `The URL of a ${name} server must not have credentials, a query or a fragment; the credentials come from the provider states`,
    );
  }
  return `${url.origin}${own}`;
}
