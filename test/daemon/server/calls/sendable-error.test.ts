import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { sendableError } from "../../../../src/daemon/server/calls/sendable-error.js";

describe("sendableError", () => {
  it("keeps code, message, metadata and details", () => {
    const details = [{ desc: StringValueSchema, value: { value: "detail" } }];
    const sent = sendableError(new ConnectError("message", Code.NotFound, { "x-why": "because" }, details));
    expect(sent).toMatchObject({ rawMessage: "message", code: Code.NotFound });
    expect([...sent.metadata]).toEqual([["x-why", "because"]]);
    expect(sent.findDetails(StringValueSchema)).toMatchObject([{ value: "detail" }]);
  });

  it("drops the cause", () => {
    const sent = sendableError(new ConnectError("no", Code.Internal, {}, [], new Error("t0ken")));
    expect(sent.cause).toBeUndefined();
    expect(sent.stack).not.toContain("t0ken");
  });

  it("drops metadata that cannot be sent", () => {
    const metadata = { "content-type": "text/plain", "transfer-encoding": "chunked", "grpc-status": "0", "x-ok": "ok" };
    expect([...sendableError(new ConnectError("", Code.Aborted, metadata)).metadata]).toEqual([["x-ok", "ok"]]);
  });

  it("shortens long messages and repairs malformed ones", () => {
    expect(sendableError(new ConnectError("é".repeat(9_000))).rawMessage).toHaveLength(2_000);
    expect(sendableError(new ConnectError("a\ud800")).rawMessage).toBe("a\ufffd");
  });
});
