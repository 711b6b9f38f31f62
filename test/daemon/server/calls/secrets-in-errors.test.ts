import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import {
  createInMemoryDaemonClient,
  createSubscriptionUrl,
  type DaemonClient,
  type DaemonHandlers,
  type DaemonProtocol,
  daemonError,
} from "../../../../src/daemon/index.js";
import { clientOf, handlersWith, serve } from "../serve.js";

const url = "https://grace:vX9pLm3Q@sub.example/s/6f1e2a9c?token=Zm9vYmFy%3D#fr4gment";
const secret = /grace|vX9p|6f1e|Zm9v|fr4gment/;

const places: readonly (DaemonProtocol | "memory")[] = ["grpc", "grpc-web", "connect", "memory"];

async function clientAt(
  place: DaemonProtocol | "memory",
  some: Partial<DaemonHandlers>,
): Promise<DaemonClient["proxySubscriptions"]> {
  if (place === "memory") return createInMemoryDaemonClient(handlersWith(some)).proxySubscriptions;
  return clientOf(await serve({}, some), place);
}

async function failure(call: Promise<unknown>): Promise<ConnectError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ConnectError) return error;
  throw new TypeError("The call did not fail as expected");
}

describe.each(places)("an error that quotes the URL of the request, over %s", (place) => {
  const quoting = new ConnectError(`Cannot fetch ${url}`, Code.Unavailable, { "x-url": encodeURIComponent(url) }, [
    { desc: StringValueSchema, value: { value: "password vX9pLm3Q" } },
  ]);

  it.each(["previewImport", "applyImport"] as const)("reaches the client without secrets (%s)", async (rpc) => {
    const client = await clientAt(place, { [rpc]: () => Promise.reject(quoting) });
    const error = await failure(client[rpc]({ url }));
    expect(error).toMatchObject({ code: Code.Unavailable, rawMessage: "Cannot fetch [redacted]" });
    expect(error.metadata.get("x-url")).toBe("[redacted]");
    expect(error.findDetails(StringValueSchema)).toMatchObject([{ value: "password [redacted]" }]);
    const all = [error.message, ...[...error.metadata].flat(), JSON.stringify(error.details)].join("\n");
    expect(all).not.toMatch(secret);
  });

  it("shows nothing if it is not meant for callers", async () => {
    const client = await clientAt(place, {
      previewImport: () => {
        throw new TypeError(`Failed to parse URL from ${url}`);
      },
    });
    expect(await failure(client.previewImport({ url }))).toMatchObject({
      code: Code.Internal,
      rawMessage: "The daemon failed",
    });
  });

  it("keeps the information that the daemon chose to send", async () => {
    const error = new ConnectError("The host answered HTTP 404 (https://sub.example)", Code.FailedPrecondition);
    const client = await clientAt(place, { previewImport: () => Promise.reject(error) });
    expect(await failure(client.previewImport({ url }))).toMatchObject({
      code: error.code,
      rawMessage: error.rawMessage,
    });
  });

  it("reaches the client without secrets that were added to an error of daemonError, and with its original message", async () => {
    const secretUrl = "https://host:vX9pLm3Q@sub.example/connection";
    const error = daemonError({ kind: "refused", url: createSubscriptionUrl(new URL(secretUrl)) });
    error.metadata.set("x-url", secretUrl);
    error.details.push({ desc: StringValueSchema, value: { value: secretUrl } });
    Object.assign(error, { rawMessage: secretUrl, message: secretUrl });
    const client = await clientAt(place, { previewImport: () => Promise.reject(error) });
    const got = await failure(client.previewImport({ url: secretUrl }));
    expect(got).toMatchObject({
      code: Code.Unavailable,
      rawMessage: "The connection was refused (https://sub.example)",
    });
    expect(got.metadata.get("x-url")).toBe("[redacted]");
    expect(got.findDetails(StringValueSchema)).toMatchObject([{ value: "[redacted]" }]);
  });
});
