import { ofFamily } from "../../fault.js";
import { fault } from "../describe.js";
import type { DaemonFault, DaemonFaultRow } from "../fault.js";
import { type FetchingRpc, quotes } from "../fetch-errors.js";

const always = ["redaction.message", "redaction.every-cause", "redaction.user-interface"];

/** The rules about parts of a URL that the requirements leave open. Their cases break no other rule. */
const recommended: ReadonlySet<string> = new Set([
  "redaction.user-name",
  "redaction.words",
  "redaction.before-fetching",
]);

/** A fault that adds text to error messages, checked by the cases of one rule. */
function quoting(
  name: string,
  summary: string,
  show: (url: string) => string,
  { rule, cases, on }: { rule: string; cases: readonly string[]; on?: readonly FetchingRpc[] },
): DaemonFaultRow {
  return fault(name, summary)
    .breaks(rule, ...(recommended.has(rule) ? [] : always))
    .checkedBy(...cases.map((one) => `case ${one}`))
    .by({ ...(cases.includes("redact-in-silence") ? { fetchTimeoutMs: 300 } : {}), ...quotes(show, on) });
}

const password = { rule: "redaction.password", cases: ["redact-password"] };
const encoded = { rule: "redaction.password", cases: ["redact-percent-encoded"] };
const path = { rule: "redaction.path", cases: ["redact-path"] };

/** Secrets in error messages. */
export const messageRedactionFaults: readonly DaemonFault[] = ofFamily("redaction in messages", [
  quoting("url-on-preview", "quotes the URL in errors of PreviewImport", (url) => url, {
    rule: "redaction.preview-import",
    cases: ["redact-path", "redact-password"],
    on: ["previewImport"],
  }),
  quoting("url-on-apply", "quotes the URL only in errors of ApplyImport", (url) => url, {
    rule: "redaction.apply-import",
    cases: ["redact-path", "redact-password", "redact-query-value"],
    on: ["applyImport"],
  }),
  quoting("url-after-connection-refused", "quotes the URL when the connection is refused", (url) => url, password),
  quoting("url-after-timeout", "quotes the URL when the host is silent", (url) => url, {
    rule: "redaction.password",
    cases: ["redact-in-silence"],
  }),
  quoting("url-invalid", "quotes a URL that cannot be parsed", (url) => `${url} is not a URL`, {
    rule: "redaction.before-fetching",
    cases: ["redact-unreadable-url"],
  }),
  quoting("url-of-other-scheme", "quotes a URL with an unsupported scheme", (url) => `${url} is not supported`, {
    rule: "redaction.before-fetching",
    cases: ["redact-other-scheme"],
  }),
  quoting("url-decoded", "quotes the URL percent-decoded", (url) => decodeURIComponent(url), encoded),
  quoting("url-encoded", "quotes the URL percent-encoded", (url) => `/fetch?url=${encodeURIComponent(url)}`, encoded),
  quoting("url-encoded-twice", "quotes the URL percent-encoded twice", (url) => twice(url), path),
  quoting("typical-url", "quotes a typical URL when the connection is refused", (url) => url, {
    rule: "redaction.path",
    cases: ["redact-typical-url"],
  }),
  quoting("path-on-apply", "quotes the path of the URL only in errors of ApplyImport", (url) => new URL(url).pathname, {
    rule: "redaction.path",
    cases: ["redact-path-on-apply"],
    on: ["applyImport"],
  }),
  quoting("path-words", "masks whatever has a digit in a URL, but not the words of its path", digitsMasked, {
    rule: "redaction.words",
    cases: ["redact-words"],
  }),
  quoting(
    "url-as-json",
    "quotes the URL in JSON within JSON",
    (url) => JSON.stringify(JSON.stringify({ url })),
    encoded,
  ),
  quoting(
    "url-escaped",
    "quotes the decoded URL with the escapes of a programming language",
    (url) => escaped(decodeURIComponent(url)),
    encoded,
  ),
  quoting("url-in-base64", "quotes the URL in base64", (url) => Buffer.from(url).toString("base64"), encoded),
  quoting("url-in-base64url", "quotes the URL in base64url", (url) => Buffer.from(url).toString("base64url"), encoded),
  quoting("authorization-header", "quotes the request that it sent, including `Authorization`", basic, encoded),
  quoting("password-only", "quotes the password", (url) => new URL(url).password, password),
  quoting(
    "password-decoded",
    "quotes the decoded password",
    (url) => decodeURIComponent(new URL(url).password),
    encoded,
  ),
  quoting("user-name-only", "quotes the user name", (url) => `wrong password for ${new URL(url).username}`, {
    rule: "redaction.user-name",
    cases: ["redact-user-name"],
  }),
  quoting("path-token-only", "quotes the last segment of the path", (url) => url.split("/").at(-1) ?? "", path),
  quoting("path-after-password-masked", "masks only the password, as `URL.Redacted` of Go does", goRedacted, path),
  quoting("query-after-password-masked", "masks the password, but neither path nor query", goRedacted, {
    rule: "redaction.query-value",
    cases: ["redact-query-value"],
  }),
  quoting("path-after-long-segments-masked", "masks only query values and long segments of the path", longMasked, {
    rule: "redaction.path",
    cases: ["redact-redirect"],
  }),
  quoting(
    "password-after-query-masked",
    "masks only query values and long segments of the path of a URL with a password",
    longMasked,
    password,
  ),
  quoting("query-values", "quotes the values of the query", (url) => [...new URL(url).searchParams.values()].join(), {
    rule: "redaction.query-value",
    cases: ["redact-query-value"],
  }),
  quoting("query-token", "masks the values of `token` and `key` in the query, but of no other key", tokensMasked, {
    rule: "redaction.query-token",
    cases: ["redact-query-token"],
  }),
  quoting("bare-query-after-values-masked", "masks the values of the query, but no query without keys", valuesMasked, {
    rule: "redaction.bare-query",
    cases: ["redact-bare-query"],
  }),
  quoting("fragment-after-rest-masked", "masks everything except the fragment", (url) => `***${new URL(url).hash}`, {
    rule: "redaction.fragment",
    cases: ["redact-fragment"],
  }),
  quoting(
    "nested-url",
    "quotes a URL within the query of the URL",
    (url) => new URL(url).searchParams.get("url") ?? "",
    {
      rule: "redaction.nested-url",
      cases: ["redact-nested-url"],
    },
  ),
]);

function twice(url: string): string {
  return encodeURIComponent(encodeURIComponent(url));
}

function escaped(text: string): string {
  return text.replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function basic(url: string): string {
  const { username, password } = new URL(url);
  const credentials = Buffer.from(decodeURIComponent(`${username}:${password}`)).toString("base64");
  return `GET / HTTP/1.1 Authorization: Basic ${credentials}`;
}

function goRedacted(url: string): string {
  const shown = new URL(url);
  if (shown.password !== "") shown.password = "xxxxx";
  return `Get "${shown}": EOF`;
}

function longMasked(url: string): string {
  const shown = new URL(url);
  shown.pathname = shown.pathname
    .split("/")
    .map((segment) => (segment.length > 16 ? "***" : segment))
    .join("/");
  for (const key of new Set(shown.searchParams.keys())) shown.searchParams.set(key, "***");
  return String(shown);
}

function tokensMasked(url: string): string {
  return url.replace(/\b(token|key)=[^&#]*/g, "$1=***");
}

function digitsMasked(url: string): string {
  return url.replace(/[^/?&=#]*\d[^/?&=#]*/g, "***");
}

function valuesMasked(url: string): string {
  return url.replace(/=[^&#]*/g, "=***");
}
