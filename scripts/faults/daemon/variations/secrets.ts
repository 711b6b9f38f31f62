import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { ConnectError } from "@connectrpc/connect";
import { parseUrl } from "../../../../src/parse-url.js";
import { changesFetchErrors, quotes, repliesInstead } from "../fetch-errors.js";
import type { DaemonVariation } from "../variation.js";

const masked = "***";

/** Changes a URL. Returns the mask if it cannot be parsed. */
function shown(url: string, change: (url: URL) => void): string {
  const parsed = parseUrl(url);
  if (parsed === undefined) return masked;
  change(parsed);
  return parsed.href;
}

function withoutPassword(url: URL): void {
  if (url.password !== "") url.password = masked;
}

/** Masks the query values whose keys call them secrets. */
function withoutTokens(url: URL): void {
  withoutPassword(url);
  for (const key of ["token", "key", "password"]) {
    if (url.searchParams.has(key)) url.search = url.search.replace(/((?:token|key|password)=)[^&]*/g, `$1${masked}`);
  }
}

/** Errors, logs and replies that show text that no requirement calls a secret, or a secret where no requirement hides it. */
export const secretVariations: readonly DaemonVariation[] = [
  {
    name: "shows-path",
    summary: "shows scheme, host and path of a URL in errors",
    behaviour: quotes((url) =>
      shown(url, (parsed) => Object.assign(parsed, { username: "", password: "", search: "", hash: "" })),
    ),
  },
  {
    name: "shows-user-name",
    summary: "masks only the password and the query of a URL in errors",
    behaviour: quotes((url) =>
      shown(url, (parsed) => {
        withoutPassword(parsed);
        Object.assign(parsed, { search: "" });
      }),
    ),
  },
  {
    name: "shows-fragment",
    summary: "shows the fragment of a URL in errors",
    behaviour: quotes((url) => parseUrl(url)?.hash ?? ""),
  },
  {
    name: "shows-other-query-values",
    summary: "masks the password of a URL and the query values that are called token, key or password",
    behaviour: quotes((url) => shown(url, withoutTokens)),
  },
  {
    name: "details-with-password",
    summary: "adds the URL to a detail for programs, but not to the message",
    behaviour: changesFetchErrors(({ url, error: { rawMessage, code } }) => {
      const error = new ConnectError(rawMessage, code);
      error.details.push({ desc: StringValueSchema, value: { value: url } });
      return error;
    }),
  },
  {
    name: "trailers-with-password",
    summary: "adds the URL to a trailer for programs, but not to the message",
    behaviour: changesFetchErrors(
      ({ url, error: { rawMessage, code } }) => new ConnectError(rawMessage, code, { "x-url": encodeURI(url) }),
    ),
  },
  {
    name: "logs-authorization",
    summary: "logs the header `Authorization` in base64 when a fetch fails",
    behaviour: changesFetchErrors(({ url, error, log }) => {
      const { username = "", password = "" } = parseUrl(url) ?? {};
      log(`authorization: Basic ${btoa(`${username}:${password}`)}`);
      return error;
    }),
  },
  {
    name: "warns-with-url",
    summary: "returns a preview with the URL in a warning if fetching fails",
    behaviour: repliesInstead((url) => ({ warnings: [`${url} cannot be fetched`] })),
  },
  {
    name: "quotes-urls-without-host",
    summary: "quotes the URLs that it does not fetch",
    behaviour: changesFetchErrors(({ url, error: { rawMessage, code } }) =>
      rawMessage.startsWith("url ")
        ? new ConnectError(`${rawMessage}: ${url}`, code)
        : new ConnectError(rawMessage, code),
    ),
  },
];
