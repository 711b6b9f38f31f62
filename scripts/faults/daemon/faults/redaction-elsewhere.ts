import { setTimeout as sleep } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { StringValueSchema, StructSchema } from "@bufbuild/protobuf/wkt";
import { ConnectError } from "@connectrpc/connect";
import { ProxySubscriptionPreviewResponseSchema } from "../../../../src/daemon/index.js";
import { ofFamily } from "../../fault.js";
import type { DaemonBehaviour } from "../behaviour.js";
import { fault } from "../describe.js";
import type { DaemonFault, DaemonFaultRow } from "../fault.js";
import { changesFetchErrors, type FailedFetch, repliesInstead } from "../fetch-errors.js";

const password = { checkedBy: ["case redact-password"] };
const path = { rule: "redaction.path", checkedBy: ["case redact-path"] };
const encoded = { checkedBy: ["case redact-percent-encoded"] };
const onApply = { checkedBy: ["case redact-query-value-on-apply"] };

/** Shown in details and metadata, a secret breaks the rules about errors as well. */
const ofErrors = ["redaction.every-cause", "redaction.user-interface"];

/** A fault that shows a secret outside the error message, and breaks the rule about the surface unless another is named. */
function showing(
  surface: "details" | "metadata" | "reply" | "logs",
  name: string,
  summary: string,
  behaviour: DaemonBehaviour,
  { rule, checkedBy }: { rule?: string; checkedBy: readonly string[] } = password,
): DaemonFaultRow {
  const isOfError = surface === "details" || surface === "metadata";
  const ofSurface = [`redaction.${surface}`, ...(isOfError ? ofErrors : [])];
  const breaks = rule === undefined ? ofSurface : [rule];
  return fault(name, summary)
    .breaks(...breaks)
    .checkedBy(...checkedBy)
    .by(behaviour);
}

/** Adds a detail to errors. */
function withDetail(detail: (url: string) => ConnectError["details"][number]): DaemonBehaviour {
  return changesFetchErrors(({ url, error }) => {
    const { rawMessage, code } = error;
    const changed = new ConnectError(rawMessage, code);
    changed.details.push(detail(url));
    return changed;
  });
}

function textOf(value: string) {
  return { case: "stringValue", value } as const;
}

/** Adds trailers to errors. */
function withTrailers(trailers: (url: string) => Record<string, string>): DaemonBehaviour {
  return changesFetchErrors(({ url, error }) => new ConnectError(error.rawMessage, error.code, trailers(url)));
}

/** Writes to the log and responds correctly. */
function logs(line: (failed: FailedFetch) => string): DaemonBehaviour {
  return changesFetchErrors((failed) => {
    failed.log(line(failed));
    return failed.error;
  });
}

/** Writes to the log after the response. */
function logsLate(line: (failed: FailedFetch) => string, lateMs: number): DaemonBehaviour {
  return changesFetchErrors((failed) => {
    // By then, a verification that does not wait has completed and the log is deleted.
    sleep(lateMs)
      .then(() => failed.log(line(failed)))
      .catch(() => {});
    return failed.error;
  });
}

/** Secrets in details, metadata, replies and logs. */
export const otherRedactionFaults: readonly DaemonFault[] = ofFamily("redaction elsewhere", [
  showing(
    "details",
    "detail-with-url",
    "adds a detail with the URL",
    withDetail((url) => ({ desc: StringValueSchema, value: { value: url } })),
  ),
  showing(
    "details",
    "detail-with-struct",
    "adds a detail with the path deep in a structure",
    withDetail((url) => ({
      desc: StructSchema,
      value: { fields: { target: { kind: textOf(new URL(url).pathname) } } },
    })),
    path,
  ),
  showing(
    "details",
    "detail-of-unknown-type",
    "adds a detail of an unknown type with the decoded URL in its bytes",
    withDetail((url) => ({
      type: "example.Failure",
      value: new TextEncoder().encode(`\n$${decodeURIComponent(url)}`),
    })),
    encoded,
  ),
  showing("details", "detail-debug-string", "adds the URL to the debug text of a detail over Connect", {
    protocol: "connect",
    ...withDetail((url) => ({ type: "example.Failure", value: new Uint8Array(), debug: { url } })),
  }),
  showing(
    "metadata",
    "trailer-with-url",
    "adds a trailer with the URL",
    withTrailers((url) => ({ "x-url": encodeURI(url) })),
  ),
  showing(
    "metadata",
    "trailer-in-base64",
    "adds a binary trailer with the URL",
    withTrailers((url) => ({ "x-url-bin": Buffer.from(url).toString("base64") })),
    encoded,
  ),
  showing(
    "metadata",
    "trailer-named-after-token",
    "adds a trailer whose name is a token",
    withTrailers((url) => ({ [`x-${url.split("/").at(-1)}`]: "1" })),
    path,
  ),
  showing(
    "metadata",
    "header-with-url",
    "adds a header with the URL to an error",
    changesFetchErrors(({ url, error, context }) => {
      context.responseHeader.set("x-url", encodeURI(url));
      return error;
    }),
    encoded,
  ),
  showing(
    "metadata",
    "header-on-connect",
    "adds a header with the path to an error over Connect",
    { protocol: "connect", ...withTrailers((url) => ({ "x-path": new URL(url).pathname })) },
    path,
  ),
  showing(
    "reply",
    "warning-with-url",
    "returns a preview with the URL in a warning if fetching fails",
    repliesInstead((url) => ({ warnings: [`${url} cannot be fetched`] })),
  ),
  showing(
    "reply",
    "suggested-name-from-path",
    "returns the last segment of the path as the suggested name if fetching fails",
    repliesInstead((url) => ({ suggestedName: url.split("/").at(-1) ?? "" })),
    { checkedBy: path.checkedBy },
  ),
  showing(
    "reply",
    "rejected-entry-with-url",
    "returns the URL as a rejected entry if fetching fails",
    repliesInstead((url) => ({ rejectedCount: 1, rejected: [{ ordinal: 1, reason: `fetch ${url}`, scheme: "http" }] })),
    encoded,
  ),
  showing(
    "reply",
    "unknown-field-with-url",
    "returns a preview with the URL in a field that the contract lacks",
    repliesInstead((url) => {
      const data = new TextEncoder().encode(url);
      const reply = create(ProxySubscriptionPreviewResponseSchema);
      reply.$unknown = [{ no: 99, wireType: 2, data: Uint8Array.of(data.length, ...data) }];
      return reply;
    }),
  ),
  showing(
    "logs",
    "log-with-url",
    "logs a URL whose fetch failed",
    logs(({ url, error }) => `${error.rawMessage} ${url}`),
  ),
  showing(
    "logs",
    "log-on-apply",
    "logs the query of a URL whose fetch failed in ApplyImport",
    logs(({ url }) => JSON.stringify({ level: "error", query: new URL(url).search })),
    onApply,
  ),
  showing(
    "logs",
    "log-buffered",
    "logs a URL whose fetch failed, half a second after the response",
    logsLate(({ url }) => `failed: ${url}`, 500),
  ),
  showing(
    "logs",
    "log-decoded",
    "logs the decoded password",
    logs(({ url }) => `login failed: ${decodeURIComponent(new URL(url).password)}`),
    encoded,
  ),
  showing(
    "logs",
    "log-authorization",
    "logs the headers of the request that it sent, including `Authorization`",
    logs(({ url }) => {
      const { username, password: word } = new URL(url);
      return `> authorization: Basic ${Buffer.from(`${username}:${word}`).toString("base64")}`;
    }),
    { checkedBy: ["case redact-password", "log file"] },
  ),
]);
