import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadYaml } from "../../../../../../reference/daemon/import/formats/clash/load-yaml.js";
import { readSimpleItem } from "../../../../../../reference/daemon/import/formats/clash/read-simple-item.js";
import { propertyRuns, propertySeed } from "../../../../../support/property-seed.js";

const read = (text: string) => readSimpleItem(text, 0, text.length);

describe("items", () => {
  it.each([
    ["one line", "- {name: a b, port: 443, password: 08}", { name: "a b", port: "443", password: "08" }],
    ["quotes", `  - {name: "a: {b}, c", x: 'd # "e"', y: ""}\n`, { name: "a: {b}, c", x: 'd # "e"', y: "" }],
    ["quoted keys", '- {"name":"a","x": {"y":1}}', { name: "a", x: { y: "1" } }],
    ["braces and brackets", "- {a: {b: {c: d}}, e: [f, g]}", { a: { b: { c: "d" } }, e: ["f", "g"] }],
    ["null", '- {a: null, b: "null"}', { a: null, b: "null" }],
    ["lines", "- a: b\n  c: d e\n", { a: "b", c: "d e" }],
    ["lines in lines", "- a:\n    b:\n      c: d\n    e: f\n  g: h", { a: { b: { c: "d" }, e: "f" }, g: "h" }],
    ["lists in lines", "- a:\n    - b\n    - c\n  d:\n  - e\n  f: [g]", { a: ["b", "c"], d: ["e"], f: ["g"] }],
    ["text beyond ASCII", "- {name: 🇭🇰 香港｜01 ✈️, x: é}", { name: "🇭🇰 香港｜01 ✈️", x: "é" }],
    [
      "escapes",
      '- {a: "\\U0001F1ED\\U0001F1F0 \\u9999\\uD83C\\uDDF0 \\x41\\\\\\"\\/", b: "\\0\\b\\t\\n\\f\\r\\_\\ "}',
      { a: '🇭🇰 香🇰 A\\"/', b: "\0\b\t\n\f\r\u00a0 " },
    ],
    ["doubled quotes", "- {a: 'b''c', e: '' }", { a: "b'c", e: "" }],
    ["blank lines at the end", "- a: b\n\n\n", { a: "b" }],
  ])("reads %s", (_, text, expected) => {
    expect(read(text)).toEqual(expected);
    expect(loadYaml(text)).toEqual([expected]);
  });

  it.each([
    ["an escaped line end", '- {a: "b\\\n  c"}'],
    ["an escape that is none", '- {a: "\\q"}'],
    ["an escape beyond Unicode", '- {a: "\\U00110000"}'],
    ["an escape that ends early", '- {a: "\\u12"}'],
    ["a comment", "- {a: b} # c"],
    ["an alias", "- {a: *b}"],
    ["an anchor", "- {a: &b c}"],
    ["a tag", "- {a: !!str b}"],
    ["a merge key", "- {<<: {a: b}}"],
    ["a key that is there twice", "- {a: b, a: c}"],
    ["a key of every object", "- {constructor: b}"],
    ["a value on two lines", "- a: b\n    c"],
    ["a block of text", "- a: |\n    b"],
    ["no value", "- a:\n  b: c"],
    ["a mapping on two lines", "- {a: b,\n   c: d}"],
    ["a tab", "- a:\tb"],
    ["two items", "- a: b\n- c: d"],
    ["no mapping", "- a"],
    ["indentation that comes from nowhere", "- a: b\n   c: d"],
    ["depth", `- ${"{a: ".repeat(20)}b${"}".repeat(20)}`],
  ])("leaves %s to others", (_, text) => {
    expect(read(text)).toBeUndefined();
  });
});

it("reads nothing in another way than YAML", () => {
  const token = fc.constantFrom(
    ...[
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      ": ",
      " ",
      "  ",
      "\n",
      "\n  ",
      "\n    ",
      "\n  - ",
      "- ",
      "#",
      " #",
      "&",
      "*",
      "!",
      "|",
      ">",
    ],
    ...[
      "'",
      '"',
      "''",
      "\\",
      "%",
      "@",
      "`",
      "?",
      "? ",
      "-",
      "=",
      "~",
      "null",
      "a",
      "b",
      "key: ",
      "key: value",
      '"k":',
      "<<: ",
    ],
    ...[
      "08",
      "1e3",
      "true",
      "\u00e9",
      "香",
      "🇯🇵",
      "\ufe0f",
      "\u2028",
      "\u0085",
      "\u00a0",
      "\ufeff",
      "\t",
      "\x01",
      "a: {b: c}",
    ],
    ...["\\n", '\\"', "\\\\", "\\x4", "\\x41", "\\u9999", "\\uD83C", "\\uDDED", "\\U0001F1ED", "\\U0011", "1", "F"],
  );
  const soup = fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(""));
  const item = fc.oneof(
    soup.map((text) => `- ${text}`),
    soup.map((text) => `- {a: ${text}}`),
    soup.map((text) => `- a: ${text}\n  z: y`),
    soup.map((text) => `  - {a: "${text}", b: '${text}'}\n`),
    fc.tuple(soup, soup).map(([one, other]) => `- a: ${one}\n  b:\n    c: ${other}\n`),
  );
  let simple = 0;
  fc.assert(
    fc.property(item, (text) => {
      const found = read(text);
      if (found === undefined) return;
      simple++;
      expect(loadYaml(text)).toEqual([found]);
    }),
    { seed: propertySeed, numRuns: propertyRuns(20_000) },
  );
  expect(simple).toBeGreaterThan(500);
});
