import { ConnectError } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readableStatus } from "../../../src/server/rpc/readable-status.js";

const messageOf = (text: string) =>
  readableStatus(setTrailerStatus(new Headers(), new ConnectError(text))).get("grpc-message") ?? "";

describe("readableStatus", () => {
  it.each([
    ["The host answered HTTP 500 (http://127.0.0.1:80)", "The host answered HTTP 500 (http://127.0.0.1:80)"],
    ["100%", "100%25"],
    ["ü\n", "%C3%BC%0A"],
  ])("writes %j as %j", (text, want) => {
    expect(messageOf(text)).toBe(want);
  });

  it("writes a message that every client can decode", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const message = messageOf(`<${text}>`);
        expect(message).toMatch(/^[ -~]*$/);
        expect(decodeURIComponent(message)).toBe(`<${text}>`);
      }),
    );
  });
});
