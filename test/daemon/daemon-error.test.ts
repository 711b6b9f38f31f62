import { inspect } from "node:util";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { createSubscriptionUrl, type DaemonFailure, daemonError } from "../../src/daemon/index.js";

describe("daemonError", () => {
  const url = createSubscriptionUrl(new URL("https://grace:s3cret@sub.example:8443/s3cret?token=s3cret#s3cret"));
  const table: readonly (readonly [failure: DaemonFailure, code: Code, message: string])[] = [
    [{ kind: "missing-url" }, Code.InvalidArgument, "url is empty"],
    [{ kind: "url-too-long" }, Code.InvalidArgument, "url is too long"],
    [{ kind: "not-a-url" }, Code.InvalidArgument, "url is not a URL"],
    [{ kind: "unsupported-scheme" }, Code.InvalidArgument, "url is neither an http nor an https URL"],
    [{ kind: "too-many-imports" }, Code.ResourceExhausted, "Too many imports are waiting. Try again later"],
    [{ kind: "negative-id" }, Code.InvalidArgument, "id is negative"],
    [{ kind: "negative-ordinal" }, Code.InvalidArgument, "selected_ordinal is negative"],
    [{ kind: "name-too-long" }, Code.InvalidArgument, "name is too long"],
    [{ kind: "refused", url }, Code.Unavailable, "The connection was refused"],
    [{ kind: "unresolved", url }, Code.Unavailable, "The host name cannot be resolved"],
    [{ kind: "unreachable", url }, Code.Unavailable, "The host cannot be reached"],
    [{ kind: "timeout", url }, Code.DeadlineExceeded, "The host did not answer in time"],
    [{ kind: "connection-lost", url }, Code.Unavailable, "The connection ended before the answer did"],
    [{ kind: "not-http", url }, Code.Unavailable, "The host did not answer in HTTP"],
    [{ kind: "tls", url }, Code.Unavailable, "No secure connection to the host can be made"],
    [{ kind: "not-public", url }, Code.InvalidArgument, "The address of the host is not public"],
    [{ kind: "redirect-not-a-url", url }, Code.Unavailable, "The host redirects to something that is not a URL"],
    [
      { kind: "redirect-unsupported-scheme", url },
      Code.Unavailable,
      "The host redirects to something that is neither an http nor an https URL",
    ],
    [{ kind: "redirect-not-public", url }, Code.Unavailable, "The host redirects to an address that is not public"],
    [{ kind: "too-many-redirects", url }, Code.Unavailable, "The host redirects too often"],
    [{ kind: "too-large", url }, Code.ResourceExhausted, "The subscription is too large"],
    [{ kind: "too-many-entries", url }, Code.ResourceExhausted, "The subscription has too many entries"],
    [{ kind: "too-complex", url }, Code.ResourceExhausted, "The subscription takes too much time or memory to read"],
    [{ kind: "undecodable", url }, Code.InvalidArgument, "The answer of the host cannot be decompressed"],
    [{ kind: "unknown-format", url }, Code.InvalidArgument, "The content is in no known subscription format"],
    [{ kind: "http-status", url, status: 399 }, Code.Unavailable, "The host answered HTTP 399"],
    [{ kind: "http-status", url, status: 400 }, Code.FailedPrecondition, "The host answered HTTP 400"],
    [{ kind: "http-status", url, status: 499 }, Code.FailedPrecondition, "The host answered HTTP 499"],
    [{ kind: "http-status", url, status: 500 }, Code.Unavailable, "The host answered HTTP 500"],
    [{ kind: "unknown-network", id: 7 }, Code.NotFound, "There is no network with id 7"],
    [{ kind: "not-a-subscription", id: 7 }, Code.FailedPrecondition, "Network 7 is not a proxy subscription"],
    [
      { kind: "no-such-node-to-import", ordinal: 9 },
      Code.InvalidArgument,
      "The subscription has no node with ordinal 9",
    ],
    [{ kind: "no-such-node", id: 7, ordinal: 9 }, Code.NotFound, "Network 7 has no node with ordinal 9"],
  ];
  it.each(table.map(([failure, code, message]) => ({ kind: failure.kind, failure, code, message })))(
    "creates a clear error without secrets for $kind ($message)",
    ({ failure, code, message }) => {
      const error = daemonError(failure);
      expect(error).toBeInstanceOf(ConnectError);
      const where = "url" in failure ? " (https://sub.example:8443)" : "";
      expect(error).toMatchObject({ code, rawMessage: message + where, cause: undefined, details: [] });
      expect([...error.metadata]).toEqual([]);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/s3cret|grace/);
    },
  );

  const text = "https://grace:s3cret@sub.example/s3cret";
  it.each([
    { kind: "refused", url: text },
    { kind: "refused", url: new URL(text) },
    { kind: "refused", url: { toString: (): string => text } },
    { kind: "http-status", url, status: text },
    { kind: "http-status", url: text, status: 500 },
    { kind: "unknown-network", id: text },
    { kind: "not-a-subscription", id: text },
    { kind: "no-such-node-to-import", ordinal: text },
    { kind: "no-such-node", id: text, ordinal: 1 },
    { kind: "no-such-node", id: 1, ordinal: text },
  ])("rejects wrong types of untyped code without quoting the value (%#)", (failure) => {
    const untyped = daemonError as (failure: unknown) => unknown;
    expect(() => untyped(failure)).toThrow(/^(Expected url to be a SubscriptionUrl|Expected a number)$/);
  });

  it("shows the revealed URL, no matter what its toString returns", () => {
    const printing = { ...url, toString: () => text, toJSON: () => text };
    expect(daemonError({ kind: "refused", url: printing }).rawMessage).toBe(
      "The connection was refused (https://sub.example:8443)",
    );
  });
});
