import { describe, expect, it } from "vitest";
import { readHost } from "../../../../../reference/daemon/import/schemes/read-endpoint.js";

const label = "a".repeat(63);
const longest = [label, label, label, "b".repeat(61)].join(".");

describe("readHost", () => {
  it.each([
    ["example.com", "example.com"],
    ["EXAMPLE.com.", "EXAMPLE.com."],
    ["localhost", "localhost"],
    ["a_b-c.example", "a_b-c.example"],
    ["xn--r8jz45g.jp", "xn--r8jz45g.jp"],
    ["1.example", "1.example"],
    ["1e100.net", "1e100.net"],
    [longest, longest],
    ["例え.jp", "例え.jp"],
    ["%E4%BE%8B%E3%81%88.jp", "例え.jp"],
    ["пример.рф", "пример.рф"],
    ["मिसाल.भारत", "मिसाल.भारत"],
    ["i❤.ws", "i❤.ws"],
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8::1", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[::ffff:192.0.2.1]", "::ffff:192.0.2.1"],
  ])("accepts %j", (given, want) => {
    expect(readHost(given)).toBe(want);
  });

  it.each([
    "",
    ".",
    ".example",
    "a..b",
    "-a.example",
    "a.-b",
    "a b",
    "a\tb",
    "a/b",
    "a\\b",
    "a?b",
    "a@b",
    "a%00b",
    "a%20b",
    "a%2Fb",
    "a\0b",
    "a\u202eb",
    "例\u200bえ.jp",
    "例え jp",
    "例え.jp\\a",
    "例え.jp/a",
    "例え.jp?a",
    "a@例え.jp",
    "例え.jp%2Fa",
    "\ud800.jp",
    "<script>",
    "a,b",
    "a:b",
    "host:443",
    "256.0.0.1",
    "1.2.3",
    "1",
    "0x7f.1",
    "127.0.0.0x1",
    "１２７.0.0.1",
    "[192.0.2.1]",
    "[example.com]",
    "[::1",
    "::1]",
    "[[::1]]",
    "[]",
    "[fe80::1%25eth0]",
    "fe80::1%eth0",
    "1:2:3:4:5:6:7:8:9",
    `${longest}c`,
    "例".repeat(64),
    `${"a".repeat(64)}.example`,
    ":".repeat(8000),
    "%".repeat(8000),
    "a.".repeat(4000),
  ])("rejects %j", (given) => {
    expect(readHost(given)).toBeUndefined();
  });
});
