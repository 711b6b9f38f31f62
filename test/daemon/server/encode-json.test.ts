import { create, type DescMessage, type MessageInitShape, toJsonString } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HealthListResponseSchema } from "../../../generated/daemon/grpc/health/v1/health_pb.js";
import { ServerReflectionResponseSchema } from "../../../generated/daemon/grpc/reflection/v1/reflection_pb.js";
import {
  ProxySubscriptionPreviewResponseSchema,
  ProxySubscriptionSelectResponseSchema,
  TunnelConfigurationResponseSchema,
} from "../../../src/daemon/index.js";
import { encodeJson } from "../../../src/daemon/server/encode-json.js";
import { propertyRuns, propertySeed } from "../../support/property-seed.js";
import { previewArbitrary } from "./preview-arbitrary.js";
import { countRounds } from "./rounds.js";

async function encodesLikeProtobuf<Desc extends DescMessage>(
  schema: Desc,
  init: MessageInitShape<Desc>,
): Promise<void> {
  const want = new TextEncoder().encode(toJsonString(schema, create(schema, init)));
  expect(Buffer.from(await encodeJson(schema, init)).equals(want)).toBe(true);
}

const entries = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ordinal: index, name: `[näme] ${index}`, warnings: ["w"] }));

describe("the JSON encoder", () => {
  it("returns the same as toJsonString for random messages", async () => {
    await fc.assert(
      fc.asyncProperty(previewArbitrary, (init) => encodesLikeProtobuf(ProxySubscriptionPreviewResponseSchema, init)),
      { seed: propertySeed, numRuns: propertyRuns(300) },
    );
  });

  it.each([0, 1, 999, 1_000, 1_001, 2_000, 3_500])(
    "returns the same as toJsonString for lists of %i entries",
    async (count) => {
      const init = { suggestedName: "n", node: entries(count), rejected: [{ ordinal: -1 }], warnings: ["last"] };
      await encodesLikeProtobuf(ProxySubscriptionPreviewResponseSchema, init);
      await encodesLikeProtobuf(ProxySubscriptionPreviewResponseSchema, { node: entries(count) });
      await encodesLikeProtobuf(TunnelConfigurationResponseSchema, { dnsServers: Array(count).fill("[") });
    },
  );

  it("returns the same as toJsonString for created and empty messages, maps, unions and bytes", async () => {
    const message = create(ProxySubscriptionSelectResponseSchema, { id: -7 });
    await encodesLikeProtobuf(ProxySubscriptionSelectResponseSchema, message);
    await encodesLikeProtobuf(EmptySchema, {});
    await encodesLikeProtobuf(HealthListResponseSchema, { statuses: { a: { status: 1 }, "": { status: 2 } } });
    await encodesLikeProtobuf(ServerReflectionResponseSchema, {
      validHost: "h",
      originalRequest: { host: "o", messageRequest: { case: "listServices", value: "x" } },
      messageResponse: { case: "fileDescriptorResponse", value: { fileDescriptorProto: [new Uint8Array([1, 2, 3])] } },
    });
  });

  it("yields to the event loop, even with concurrent encoders", async () => {
    const init = { node: entries(5_000) };
    const rounds = countRounds();
    const encode = () => encodeJson(ProxySubscriptionPreviewResponseSchema, init);
    await Promise.all([encode(), encode()]);
    // Two times five slices, each in a separate round.
    expect(rounds.stop()).toBeGreaterThanOrEqual(10);
  });

  it.each([
    { compatibleCount: "s3cret" },
    { suggestedName: 7 },
    { node: [{ ordinal: "s3cret" }] },
    { node: ["s3cret"] },
    { node: "s3cret" },
    { warnings: [7] },
  ])("rejects a mismatching value without quoting it (%j)", async (init) => {
    const untyped = encodeJson as (schema: DescMessage, message: unknown) => Promise<unknown>;
    await expect(untyped(ProxySubscriptionPreviewResponseSchema, init)).rejects.toThrow(
      new TypeError("A value does not match its field in proxydaemon.v1.ProxySubscriptionPreviewResponse"),
    );
  });
});
