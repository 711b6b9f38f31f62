import { create, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { AnySchema, anyPack, BytesValueSchema, StringValueSchema, StructSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, encodeBinaryHeader } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { HealthListResponseSchema } from "../../../../generated/daemon/grpc/health/v1/health_pb.js";
import {
  createScrubber,
  ProxySubscriptionNodePreviewSchema,
  ProxySubscriptionPreviewResponseSchema,
} from "../../../../src/daemon/index.js";
import { scrubError } from "../../../../src/daemon/server/calls/scrub-error.js";

const scrub = createScrubber("https://sub.example/s/t0ken");

describe("scrubError", () => {
  it("keeps everything that contains no secret", () => {
    const details = [{ desc: StringValueSchema, value: { value: "detail" } }];
    const clean = scrubError(new ConnectError("message", Code.NotFound, { "x-why": "because" }, details), scrub);
    expect(clean).toMatchObject({ rawMessage: "message", code: Code.NotFound });
    expect([...clean.metadata]).toEqual([["x-why", "because"]]);
    expect(clean.findDetails(StringValueSchema)).toMatchObject([{ value: "detail" }]);
  });

  it("scrubs the message and drops the cause", () => {
    const clean = scrubError(new ConnectError("no t0ken", Code.Internal, {}, [], new Error("t0ken")), scrub);
    expect(clean).toMatchObject({ message: "[internal] no [redacted]", cause: undefined });
    expect(clean.stack).not.toContain("t0ken");
  });

  it("scrubs metadata, and drops entries that it cannot read or send", () => {
    const metadata = {
      "x-one": "a t0ken",
      "x-t0ken": "name",
      "x-ok-bin": encodeBinaryHeader("ok"),
      "x-no-bin": encodeBinaryHeader("a t0ken"),
      "content-type": "text/plain",
      "transfer-encoding": "chunked",
      "grpc-status": "0",
      "grpc-retry-pushback-ms": "5",
    };
    expect(Object.fromEntries(scrubError(new ConnectError("", Code.Aborted, metadata), scrub).metadata)).toEqual({
      "x-one": "a [redacted]",
      "x-ok-bin": encodeBinaryHeader("ok"),
      "grpc-retry-pushback-ms": "5",
    });
  });

  it("scrubs the strings of details at every depth, without modifying the originals", () => {
    const node = create(ProxySubscriptionNodePreviewSchema, { name: "t0ken", port: 1, warnings: ["a", "t0ken"] });
    const preview = create(ProxySubscriptionPreviewResponseSchema, { node: [node], suggestedName: "t0ken" });
    const json = { a: { t0ken: ["t0ken", 1, null] } };
    const struct = fromJson(StructSchema, json);
    const map = { statuses: { t0ken: { status: 1 } } };
    const given = new ConnectError("", Code.Aborted, {}, [
      { desc: ProxySubscriptionPreviewResponseSchema, value: preview },
      { desc: StructSchema, value: struct },
      { desc: HealthListResponseSchema, value: map },
    ]);
    const clean = scrubError(given, scrub);
    expect(clean.findDetails(ProxySubscriptionPreviewResponseSchema)).toMatchObject([
      { suggestedName: "[redacted]", node: [{ name: "[redacted]", port: 1, warnings: ["a", "[redacted]"] }] },
    ]);
    expect(clean.findDetails(StructSchema).map((one) => toJson(StructSchema, one))).toEqual([
      { a: { "[redacted]": ["[redacted]", 1, null] } },
    ]);
    expect(clean.findDetails(HealthListResponseSchema)).toMatchObject([{ statuses: { "[redacted]": { status: 1 } } }]);
    expect([preview.suggestedName, node.name, toJson(StructSchema, struct)]).toEqual(["t0ken", "t0ken", json]);
  });

  it("removes bytes, unknown fields and unknown details that contain a secret", () => {
    const bytes = new TextEncoder().encode("a t0ken");
    const any = anyPack(StringValueSchema, create(StringValueSchema, { value: "t0ken" }));
    const unknown = create(StringValueSchema, { value: "v" });
    unknown.$unknown = [{ no: 9, wireType: 2, data: bytes }];
    const given = new ConnectError("", Code.Aborted, {}, [
      { desc: BytesValueSchema, value: { value: bytes } },
      { desc: AnySchema, value: any },
      { desc: StringValueSchema, value: unknown },
    ]);
    const received = (value: string) => ({
      type: "google.protobuf.StringValue",
      value: toBinary(StringValueSchema, create(StringValueSchema, { value })),
      debug: "t0ken",
    });
    given.details.push(received("ok"), received("t0ken"), { type: "t0ken", value: new Uint8Array() });
    const clean = scrubError(given, scrub);
    const text = JSON.stringify(
      clean.details
        .map((detail) => ("desc" in detail ? toBinary(detail.desc, create(detail.desc, detail.value)) : detail))
        .map((one) => (one instanceof Uint8Array ? Buffer.from(one).toString("latin1") : one)),
    );
    expect(text).not.toContain("t0ken");
    expect(clean.details).toHaveLength(4);
    expect(clean.findDetails(StringValueSchema)).toMatchObject([{ value: "v" }, { value: "ok" }]);
  });

  it("shortens long messages and repairs malformed ones", () => {
    expect(scrubError(new ConnectError("é".repeat(9_000)), scrub).rawMessage).toHaveLength(2_000);
    expect(scrubError(new ConnectError("a\ud800"), scrub).rawMessage).toBe("a\ufffd");
  });
});
