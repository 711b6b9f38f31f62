import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { EmptySchema, StructSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HealthListResponseSchema } from "../../../generated/daemon/grpc/health/v1/health_pb.js";
import { ServerReflectionResponseSchema } from "../../../generated/daemon/grpc/reflection/v1/reflection_pb.js";
import {
  LoginCancelRequestSchema,
  ProxySubscriptionNodePreviewSchema,
  ProxySubscriptionPreviewResponseSchema,
  ProxySubscriptionSelectResponseSchema,
  TunnelConfigurationResponseSchema,
} from "../../../src/daemon/index.js";
import { createEncoder } from "../../../src/daemon/server/encode-message.js";
import { propertyRuns, propertySeed } from "../../support/property-seed.js";
import { previewArbitrary } from "./preview-arbitrary.js";

async function encodesLikeProtobuf<Desc extends DescMessage>(
  schema: Desc,
  init: MessageInitShape<Desc>,
): Promise<void> {
  const encoded = new Uint8Array(await createEncoder(schema)(init));
  expect(fromBinary(schema, encoded)).toEqual(fromBinary(schema, toBinary(schema, create(schema, init))));
}

describe("the encoder", () => {
  it("is equivalent to toBinary for random messages", async () => {
    await fc.assert(
      fc.asyncProperty(previewArbitrary, (init) => encodesLikeProtobuf(ProxySubscriptionPreviewResponseSchema, init)),
      { seed: propertySeed, numRuns: propertyRuns(500) },
    );
  });

  it("accepts messages, and undefined for omitted fields", async () => {
    await encodesLikeProtobuf(
      ProxySubscriptionSelectResponseSchema,
      create(ProxySubscriptionSelectResponseSchema, { id: -7 }),
    );
    const encode = createEncoder(ProxySubscriptionPreviewResponseSchema);
    expect(await encode({ node: [create(ProxySubscriptionNodePreviewSchema), {}] })).toEqual(
      Buffer.from("2a002a00", "hex"),
    );
    const absent = { node: undefined, suggestedName: undefined } as unknown as MessageInitShape<
      typeof ProxySubscriptionPreviewResponseSchema
    >;
    expect(await encode(absent)).toEqual(Buffer.alloc(0));
  });

  it("returns no bytes for a message without fields", async () => {
    expect(await createEncoder(EmptySchema)({})).toEqual(Buffer.alloc(0));
  });

  it.each([0, 5, 100_000])("reserves %i bytes before the message", async (room) => {
    const encode = createEncoder(TunnelConfigurationResponseSchema);
    const init = { dnsServers: Array.from({ length: 5_000 }, () => "192.0.2.1") };
    for (const given of [init, { dnsServers: ["192.0.2.1"] }]) {
      const bytes = await encode(given, room);
      expect(bytes.subarray(0, room).every((byte) => byte === 0)).toBe(true);
      expect(bytes.subarray(room)).toEqual(await encode(given));
    }
  });

  it("keeps unknown fields", async () => {
    const bytes = Buffer.from("0a0161 1001".replace(" ", ""), "hex");
    const known = fromBinary(LoginCancelRequestSchema, bytes);
    expect(Buffer.from(await createEncoder(LoginCancelRequestSchema)(known))).toEqual(bytes);
    const inside = fromBinary(ProxySubscriptionNodePreviewSchema, Buffer.from("0807c00c01", "hex"));
    await encodesLikeProtobuf(ProxySubscriptionPreviewResponseSchema, {
      node: [inside, { ordinal: 1 }],
      suggestedName: "n",
    });
  });

  it("writes fields of other kinds as toBinary does", async () => {
    await encodesLikeProtobuf(HealthListResponseSchema, { statuses: { a: { status: 1 }, "": { status: 2 } } });
    await encodesLikeProtobuf(StructSchema, { fields: { a: { kind: { case: "numberValue", value: 1.5 } } } });
    await encodesLikeProtobuf(ServerReflectionResponseSchema, {
      validHost: "h",
      originalRequest: { host: "o", messageRequest: { case: "listServices", value: "x" } },
      messageResponse: { case: "errorResponse", value: { errorCode: -5, errorMessage: "é" } },
    });
    await encodesLikeProtobuf(ServerReflectionResponseSchema, {
      messageResponse: { case: "fileDescriptorResponse", value: { fileDescriptorProto: [new Uint8Array([1, 2, 3])] } },
    });
  });

  describe("with long lists", () => {
    const long = Array.from({ length: 10_001 }, (_, index) => ({
      ordinal: index + 1,
      name: `näme ${index}`,
      warnings: ["w"],
    }));
    const init = { suggestedName: "n", node: long, rejected: [{ ordinal: -1 }], warnings: ["last"] };

    it("is equivalent to toBinary", async () => {
      await encodesLikeProtobuf(ProxySubscriptionPreviewResponseSchema, init);
    });

    it("keeps unknown fields", async () => {
      const message = create(ProxySubscriptionPreviewResponseSchema, init);
      message.$unknown = [{ no: 2_000, wireType: 0, data: new Uint8Array([5]) }];
      await encodesLikeProtobuf(ProxySubscriptionPreviewResponseSchema, message);
    });

    it("yields to the event loop, even with concurrent encoders", async () => {
      const encode = createEncoder(ProxySubscriptionPreviewResponseSchema);
      let rounds = 0;
      let done = false;
      const count = () => {
        rounds++;
        if (!done) setImmediate(count);
      };
      setImmediate(count);
      await Promise.all([encode(init), encode(init)]);
      done = true;
      // Two times six slices, each in a separate round.
      expect(rounds).toBeGreaterThanOrEqual(12);
    });

    it("keeps concurrent messages apart", async () => {
      const encode = createEncoder(ProxySubscriptionPreviewResponseSchema);
      const pending = encode(init);
      expect(encode({ suggestedName: "short" })).toEqual(Buffer.from("\n\u0005short"));
      expect(Buffer.from(await pending).equals(Buffer.from(await encode(init)))).toBe(true);
    });

    it("rejects a value that does not match its field", async () => {
      const node = [...long, { ordinal: 0.5 }];
      await expect(createEncoder(ProxySubscriptionPreviewResponseSchema)({ node })).rejects.toThrow(TypeError);
    });
  });

  it("rejects a value of any other type without quoting it", () => {
    const encode = createEncoder(HealthListResponseSchema) as (message: unknown) => unknown;
    const text = "The value does not match the field grpc.health.v1.HealthListResponse.statuses";
    expect(() => encode({ statuses: { "": { status: "s3cret" } } })).toThrow(new TypeError(text));
    expect(encode({})).toEqual(Buffer.alloc(0));
  });

  const misfits: readonly (readonly [field: string, value: unknown])[] = [
    ["compatible_count", 1.5],
    ["compatible_count", 2 ** 31],
    ["compatible_count", Number.NaN],
    ["compatible_count", "s3cret"],
    ["compatible_count", null],
    ["suggested_name", 7],
    ["suggested_name", null],
    ["node", "s3cret"],
    ["node", [null]],
    ["node", ["s3cret"]],
    ["warnings", [7]],
    ["warnings", "s3cret"],
  ];
  it.each(misfits)("rejects for %s the value %j without quoting it", (field, value) => {
    const name = field.replace(/_(.)/, (_, letter: string) => letter.toUpperCase());
    const encode = createEncoder(ProxySubscriptionPreviewResponseSchema);
    const untyped = encode as (message: unknown) => unknown;
    const text = `The value does not match the field proxydaemon.v1.ProxySubscriptionPreviewResponse.${field}`;
    expect(() => untyped({ suggestedName: "before", [name]: value })).toThrow(new TypeError(text));
    // The next message contains nothing that was written before the error.
    expect(encode({})).toEqual(Buffer.alloc(0));
  });
});
