import { describe, expect, it } from "vitest";
import { decodeValue } from "../../../src/chat/codec/decode-request.js";
import type { ParameterKind } from "../../../src/chat/operation.js";

type TextKind = Exclude<ParameterKind, "file">;

describe("decodeValue", () => {
  const readable: [TextKind, string, unknown][] = [
    ["string", "", ""],
    ["string", " 12 ", " 12 "],
    ["string", '"quoted"', '"quoted"'],
    ["segments", "narrow/topic/x", "narrow/topic/x"],
    ["integer", "12", 12],
    ["integer", "-3", -3],
    ["integer", " 7\n", 7],
    ["integer", "0", 0],
    ["integer", "10000000000000000", 10_000_000_000_000_000],
    ["integer", "9007199254740993", 9_007_199_254_740_992],
    ["boolean", "true", true],
    ["boolean", " false ", false],
    ["integer-or-text", "newest", "newest"],
    ["integer-or-text", "42", 42],
    ["integer-or-text", "4.2", "4.2"],
    ["json", "[1, 2]", [1, 2]],
    ["json", ' {"a": null} ', { a: null }],
    ["json", '"text"', "text"],
  ];
  it.each(readable)("reads %s %j", (kind, text, want) => {
    expect(decodeValue(kind, text)).toEqual({ kind: "value", value: want });
  });

  const malformed: [TextKind, string, string][] = [
    ["integer", "", "an integer"],
    ["integer", "12.0", "an integer"],
    ["integer", "1e3", "an integer"],
    ["integer", '"12"', "an integer"],
    ["integer", "012", "an integer"],
    ["integer", "+1", "an integer"],
    ["integer", "true", "an integer"],
    ["boolean", "True", "true or false"],
    ["boolean", "1", "true or false"],
    ["boolean", "", "true or false"],
    ["json", "", "JSON text"],
    ["json", "[1,", "JSON text"],
    ["json", "Denmark", "JSON text"],
  ];
  it.each(malformed)("rejects %s %j", (kind, text, expected) => {
    expect(decodeValue(kind, text)).toEqual({ kind: "malformed", expected });
  });
});
