import { CouldNotRunError } from "../../base/could-not-run-error.js";
import { hasMoreThanPath, parseHttpUrl } from "../../http/http-url.js";

/**
 * Returns the URL for setups of provider states: the given URL, with `/states` appended unless it ends with it. Throws a
 * `CouldNotRunError` that says what to write and quotes nothing of the URL, which may hold secrets.
 */
export function statesEndpoint(text: string): string {
  const url = parseHttpUrl(text);
  if (url === undefined) {
    throw new CouldNotRunError(
      "The URL of the provider states must be http or https, such as http://127.0.0.1:4011/states",
    );
  }
  if (hasMoreThanPath(url)) {
    throw new CouldNotRunError("The URL of the provider states must not have credentials, a query or a fragment");
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\/states$/, "")}/states`;
}
