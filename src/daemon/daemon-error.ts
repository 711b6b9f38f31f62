import { Code, ConnectError } from "@connectrpc/connect";
import { redactUrl } from "../secrets/redact-url.js";
import type { SubscriptionUrl } from "./subscription-url.js";

/** The reasons why a subscription cannot be fetched or read. */
export type SubscriptionFailure =
  | "refused"
  | "unresolved"
  | "unreachable"
  | "timeout"
  | "connection-lost"
  | "not-http"
  | "tls"
  | "not-public"
  | "redirect-not-a-url"
  | "redirect-unsupported-scheme"
  | "redirect-not-public"
  | "too-many-redirects"
  | "too-large"
  | "too-many-entries"
  | "too-complex"
  | "undecodable"
  | "unknown-format";

/** The reasons why a call fails. A daemon that uses only these never puts a secret into an error. */
export type DaemonFailure =
  | { readonly kind: "missing-url" | "url-too-long" | "not-a-url" | "unsupported-scheme" }
  | { readonly kind: "too-many-imports" }
  | { readonly kind: "negative-id" | "negative-ordinal" | "name-too-long" }
  | { readonly kind: SubscriptionFailure; readonly url: SubscriptionUrl }
  | { readonly kind: "http-status"; readonly url: SubscriptionUrl; readonly status: number }
  | { readonly kind: "unknown-network" | "not-a-subscription"; readonly id: number }
  | { readonly kind: "no-such-node-to-import"; readonly ordinal: number }
  | { readonly kind: "no-such-node"; readonly id: number; readonly ordinal: number };

const subscriptionFailures: Readonly<Record<SubscriptionFailure, readonly [Code, string]>> = {
  refused: [Code.Unavailable, "The connection was refused"],
  unresolved: [Code.Unavailable, "The host name cannot be resolved"],
  unreachable: [Code.Unavailable, "The host cannot be reached"],
  timeout: [Code.DeadlineExceeded, "The host did not answer in time"],
  "connection-lost": [Code.Unavailable, "The connection ended before the answer did"],
  "not-http": [Code.Unavailable, "The host did not answer in HTTP"],
  tls: [Code.Unavailable, "No secure connection to the host can be made"],
  "not-public": [Code.InvalidArgument, "The address of the host is not public"],
  "redirect-not-a-url": [Code.Unavailable, "The host redirects to something that is not a URL"],
  "redirect-unsupported-scheme": [
    Code.Unavailable,
    "The host redirects to something that is neither an http nor an https URL",
  ],
  "redirect-not-public": [Code.Unavailable, "The host redirects to an address that is not public"],
  "too-many-redirects": [Code.Unavailable, "The host redirects too often"],
  "too-large": [Code.ResourceExhausted, "The subscription is too large"],
  "too-many-entries": [Code.ResourceExhausted, "The subscription has too many entries"],
  "too-complex": [Code.ResourceExhausted, "The subscription takes too much time or memory to read"],
  undecodable: [Code.InvalidArgument, "The answer of the host cannot be decompressed"],
  "unknown-format": [Code.InvalidArgument, "The content is in no known subscription format"],
};

/**
 * Creates the error for a failure. Its message is one of a closed set of sentences, and shows only scheme, host and
 * port of a URL. It has no cause, because errors of Node's network and parsing functions quote URLs and content.
 *
 * Throws a `TypeError` if a field of the failure has the wrong type, which only untyped code can cause.
 */
export function daemonError(failure: DaemonFailure): ConnectError {
  const [code, text] = describe(failure);
  return new ConnectError("url" in failure ? `${text} (${shown(failure.url)})` : text, code);
}

/** Redacts a URL explicitly, because untyped code may pass a string or `URL`, which would print in full. */
function shown(url: Partial<SubscriptionUrl>): string {
  const revealed = url.reveal?.();
  if (revealed === undefined) throw new TypeError("Expected url to be a SubscriptionUrl");
  return redactUrl(revealed.href);
}

/** Checks a number, because untyped code may pass a string. */
function number(value: number): number {
  if (typeof value !== "number") throw new TypeError("Expected a number");
  return value;
}

function describe(failure: DaemonFailure): readonly [Code, string] {
  switch (failure.kind) {
    case "missing-url":
      return [Code.InvalidArgument, "url is empty"];
    case "url-too-long":
      return [Code.InvalidArgument, "url is too long"];
    case "not-a-url":
      return [Code.InvalidArgument, "url is not a URL"];
    case "unsupported-scheme":
      return [Code.InvalidArgument, "url is neither an http nor an https URL"];
    case "too-many-imports":
      return [Code.ResourceExhausted, "Too many imports are waiting. Try again later"];
    case "negative-id":
      return [Code.InvalidArgument, "id is negative"];
    case "negative-ordinal":
      return [Code.InvalidArgument, "selected_ordinal is negative"];
    case "name-too-long":
      return [Code.InvalidArgument, "name is too long"];
    case "unknown-network":
      return [Code.NotFound, `There is no network with id ${number(failure.id)}`];
    case "not-a-subscription":
      return [Code.FailedPrecondition, `Network ${number(failure.id)} is not a proxy subscription`];
    case "no-such-node-to-import":
      return [Code.InvalidArgument, `The subscription has no node with ordinal ${number(failure.ordinal)}`];
    case "no-such-node":
      return [Code.NotFound, `Network ${number(failure.id)} has no node with ordinal ${number(failure.ordinal)}`];
    case "http-status": {
      const status = number(failure.status);
      const isTheirFault = status < 400 || status >= 500;
      return [isTheirFault ? Code.Unavailable : Code.FailedPrecondition, `The host answered HTTP ${status}`];
    }
    default:
      return subscriptionFailures[failure.kind];
  }
}
