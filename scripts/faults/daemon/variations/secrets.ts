import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { ConnectError } from "@connectrpc/connect";
import { parseUrl } from "../../../../src/base/parse-url.js";
import { changesRpc } from "../changed-handlers.js";
import { variation } from "../describe.js";
import type { DaemonVariation } from "../fault.js";

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

/** Masks the password and whatever has a digit, as every random token does. */
function withoutTokens(url: URL): void {
  withoutPassword(url);
  for (const part of ["pathname", "search", "hash"] as const) url[part] = wordsOf(url[part]);
}

function wordsOf(text: string): string {
  return decodeURIComponent(text).replace(/[^/?&=#]*\d[^/?&=#]*/g, masked);
}

/** Errors, logs and replies that show text that no requirement calls a secret, or a secret where no requirement hides it. */
export const secretVariations: readonly DaemonVariation[] = [
  variation(
    "shows-path",
    "shows scheme, host and path of a URL in errors, except parts of the path that have digits",
  ).quotes((url) =>
    shown(url, (parsed) => {
      withoutTokens(parsed);
      Object.assign(parsed, { username: "", password: "", search: "", hash: "" });
    }),
  ),
  variation("shows-user-name", "shows scheme, user name and host of a URL in errors").quotes((url) =>
    shown(url, (parsed) => {
      withoutPassword(parsed);
      Object.assign(parsed, { pathname: "", search: "", hash: "" });
    }),
  ),
  variation("shows-fragment", "shows the fragment of a URL in errors if it has no digits").quotes((url) =>
    wordsOf(parseUrl(url)?.hash ?? ""),
  ),
  variation("shows-other-query-values", "masks the password of a URL and every part that has a digit").quotes((url) =>
    shown(url, withoutTokens),
  ),
  variation(
    "details-with-user-name",
    "adds the user name of the URL to a detail for programs, but not to the message",
  ).changesFetchErrors(({ url, error: { rawMessage, code } }) => {
    const error = new ConnectError(rawMessage, code);
    error.details.push({ desc: StringValueSchema, value: { value: parseUrl(url)?.username ?? "" } });
    return error;
  }),
  variation("reply-headers-with-url", "returns a preview with the URL in a trailer if fetching fails").by(
    changesRpc("previewImport", (preview) => async (request, context) => {
      try {
        return await preview(request, context);
      } catch {
        context.responseTrailer.set("x-url", encodeURI(request.url));
        return {};
      }
    }),
  ),
  variation("warns-with-url", "returns a preview with the URL in a warning if fetching fails").repliesInstead(
    (url) => ({ warnings: [`${url} cannot be fetched`] }),
  ),
  variation("quotes-urls-without-host", "quotes the URLs that it does not fetch").changesFetchErrors(
    ({ url, error: { rawMessage, code } }) =>
      rawMessage.startsWith("url ")
        ? new ConnectError(`${rawMessage}: ${url}`, code)
        : new ConnectError(rawMessage, code),
  ),
];
