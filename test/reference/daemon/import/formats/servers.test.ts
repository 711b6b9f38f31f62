import { expect, it } from "vitest";
import { readPort, readServer } from "../../../../../reference/daemon/import/formats/read-server.js";

const label = "a".repeat(63);
const longest = [label, label, label, "b".repeat(61)].join(".");

it.each([
  ...["EXAMPLE.com.", "localhost", "a_b-c.example", "xn--r8jz45g.jp", "1.example", "1e100.net", longest],
  ...["例え.jp", "пример.рф", "मिसाल.भारत", "i❤.ws", "192.0.2.1", "2001:db8::1"],
])("accepts the server %s", (server) => {
  expect(readServer(server)).toBe(server);
});

it("removes the brackets of an IPv6 address", () => {
  expect(readServer("[::ffff:192.0.2.1]")).toBe("::ffff:192.0.2.1");
});

it.each([
  ...["", ".", ".example", "a..b", "-a.example", "a.-b", "a b", "a\tb", "a/b", "a\\b", "a?b", "a@b", "a%20b", "a\0b"],
  ...[
    "a\u202eb",
    "例\u200bえ.jp",
    "例え jp",
    "例え.jp\\a",
    "例え.jp/a",
    "例え.jp?a",
    "a@例え.jp",
    "\ud800.jp",
    "<script>",
  ],
  ...["a,b", "a:b", "host:443", "256.0.0.1", "1.2.3", "1", "0x7f.1", "127.0.0.0x1", "１２７.0.0.1", "[192.0.2.1]"],
  ...["[example.com]", "[::1", "::1]", "[[::1]]", "[]", "fe80::1%eth0", "1:2:3:4:5:6:7:8:9"],
  ...[`${longest}c`, "例".repeat(64), `${label}a.example`, ":".repeat(8_000), "a.".repeat(4_000)],
])("rejects the server %j", (server) => {
  expect(readServer(server)).toBeUndefined();
});

it.each<[text: string, port?: number]>([
  ["1", 1],
  ["00443", 443],
  ["65535", 65_535],
  ...["", "0", "65536", "000443", "-1", "+1", "1.0", "1e3", "0x50", " 1", "1\n", "abc", "١"].map((port): [string] => [
    port,
  ]),
])("reads the port %j as %s", (text, port) => {
  expect(readPort(text)).toBe(port);
  expect(readPort(text, true)).toBe(port);
});

it.each<[text: string, port?: number]>([
  ["123,5000-6000", 123],
  ["5000:6000/7", 5000],
  ...[",", "1,", "1-", "-", "6000-5000", "1-2-3", "1,0", "1-65536", "1;2"].map((ports): [string] => [ports]),
])("reads the ports %j as %s", (text, port) => {
  expect(readPort(text, true)).toBe(port);
  expect(readPort(text)).toBeUndefined();
});
