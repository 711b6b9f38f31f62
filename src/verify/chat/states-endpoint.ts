import { parseUrl } from "../../parse-url.js";
import { CouldNotRunError } from "../could-not-run-error.js";

/**
 * Where setups of provider states are posted: the URL with `/states` at its end, whether or not it was given with it. Throws a
 * `CouldNotRunError` that says what to write, and repeats nothing of a URL that may hold secrets.
 */
export function statesEndpoint(text: string): string {
  const url = parseUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new CouldNotRunError(
      "The URL of the provider states must be http or https, as http://127.0.0.1:4011/states is",
    );
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new CouldNotRunError("The URL of the provider states holds no credentials, query or fragment");
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\/states$/, "")}/states`;
}
