import { inspect } from "node:util";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { fetchSubscription } from "../../../../reference/daemon/import/fetch/fetch-subscription.js";
import { systemNetwork } from "../../../../reference/daemon/import/fetch/resolve-host.js";
import { readSubscriptionUrl } from "../../../../reference/daemon/import/read-subscription-url.js";
import { fetchFailures } from "./failure-modes.js";
import { findLeaks } from "./find-leaks.js";
import { unusableUrls, urlShapes } from "./url-shapes.js";

/** All parts of an error that a log, a crash or a caller could show. */
function allOf(error: unknown): string {
  const { metadata, details, message, stack = "" } = error as ConnectError;
  return [
    String(error),
    message,
    stack,
    JSON.stringify(error),
    JSON.stringify([...metadata, ...details]),
    inspect(error, { depth: 20, showHidden: true, getters: true }),
  ].join("\n");
}

const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe.each(fetchFailures)("a failed fetch: $name", ({ message, start }) => {
  it.each(urlShapes)("shows no secret from the URL part: $name", async (shape) => {
    const origin = await start(shape);
    const url = readSubscriptionUrl(shape.at(origin));
    const signal = new AbortController().signal;
    const error = await rejection(
      fetchSubscription(url, { allowPrivate: true, timeoutMs: message?.endsWith("in time") ? 60 : 300_000, signal }),
    );
    expect(error).toBeInstanceOf(ConnectError);
    expect(error).toMatchObject({ rawMessage: `${message} (${origin})`, cause: undefined });
    expect(findLeaks(allOf(error), shape.secrets)).toEqual([]);
  });
});

describe("a rejected URL", () => {
  it.each(urlShapes)("shows no secret if its address is not public: $name", async ({ at, secrets }) => {
    const origin = "http://127.0.0.1:1";
    const options = { allowPrivate: false, network: systemNetwork, signal: new AbortController().signal };
    const error = await rejection(fetchSubscription(readSubscriptionUrl(at(origin)), options));
    expect(error).toMatchObject({ rawMessage: `The address of the host is not public (${origin})` });
    expect(findLeaks(allOf(error), secrets)).toEqual([]);
  });

  it.each(unusableUrls)("shows no secret if it is unusable: $name", async ({ at, secrets }) => {
    const error = await rejection((async () => readSubscriptionUrl(at("")))());
    expect(error).toMatchObject({ code: Code.InvalidArgument, rawMessage: expect.stringMatching(/^url is /) });
    expect(findLeaks(allOf(error), secrets)).toEqual([]);
  });
});
