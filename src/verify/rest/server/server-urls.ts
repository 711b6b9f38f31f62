import { parseUrl } from "../../../parse-url.js";
import { CouldNotRunError } from "../../could-not-run-error.js";

const apiSuffix = /\/api\/v1\/*$/;

/**
 * Returns the part of a chat server's API URL before `/api/v1`, where the paths of the contract begin. Throws a `CouldNotRunError` that
 * says what to write and quotes nothing of the URL, which may hold secrets.
 */
export function serverBaseUrl(text: string): string {
  const url = parseHttpUrl(text);
  if (url === undefined || !apiSuffix.test(url.pathname)) {
    throw new CouldNotRunError(
      "The URL of a chat server must be http or https and end with /api/v1, such as http://127.0.0.1:4011/api/v1",
    );
  }
  if (hasMoreThanPath(url)) {
    throw new CouldNotRunError(
      "The URL of a chat server must not have credentials, a query or a fragment; the credentials come from the provider states",
    );
  }
  return `${url.origin}${url.pathname.replace(apiSuffix, "")}`;
}

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

function parseHttpUrl(text: string): URL | undefined {
  const url = parseUrl(text);
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined;
}

function hasMoreThanPath({ username, password, search, hash }: URL): boolean {
  return [username, password, search, hash].some((part) => part !== "");
}
