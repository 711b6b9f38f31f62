import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { sendableError } from "../../../src/server/rpc/sendable-error.js";

describe("sendableError", () => {
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
