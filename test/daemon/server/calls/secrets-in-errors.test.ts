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

describe.each(places)("an error, over %s", (place) => {
  it("shows nothing if it is not meant for callers", async () => {
    const client = await clientAt(place, {
      previewImport: () => {
        throw new TypeError(`Failed to parse URL from ${url}`);
      },
    });
    expect(await failure(client.previewImport({ url }))).toMatchObject({
      code: Code.Internal,
      rawMessage: "The server failed",
    });
  });

  it("reaches the client as the daemon wrote it", async () => {
    const error = daemonError({ kind: "refused", url: createSubscriptionUrl(new URL(url)) });
    error.details.push({ desc: StringValueSchema, value: { value: "path" } });
    const client = await clientAt(place, { previewImport: () => Promise.reject(error) });
    const got = await failure(client.previewImport({ url }));
    expect(got).toMatchObject({
      code: Code.Unavailable,
      rawMessage: "The connection was refused (https://sub.example)",
    });
    expect(got.findDetails(StringValueSchema)).toMatchObject([{ value: "path" }]);
  });
});
