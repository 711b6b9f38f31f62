import { parseUrl } from "../../parse-url.js";
import { CouldNotRunError } from "../could-not-run-error.js";

const suffix = /\/api\/v1\/*$/;

/**
 * What stands before `/api/v1` in the URL of a chat server; the contract's paths begin there. Throws a `CouldNotRunError` that says
 * what to write.
 */
export function serverOrigin(text: string): string {
  const url = parseUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol) || !suffix.test(url.pathname)) {
    throw new CouldNotRunError(
      "The URL of a chat server must be http or https and end with /api/v1, as http://127.0.0.1:4011/api/v1 does",
    );
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new CouldNotRunError(
      "The URL of a chat server holds no credentials, query or fragment; provider states give the credentials",
    );
  }
  return `${url.origin}${url.pathname.replace(suffix, "")}`;
}
