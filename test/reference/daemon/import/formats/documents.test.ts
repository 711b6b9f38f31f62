import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ContentRefused } from "../../../../../reference/daemon/import/content.js";
import { rejectionReasons } from "../../../../../reference/daemon/import/entry.js";
import { propertyRuns, propertySeed } from "../../../../support/property-seed.js";
import { readAll, type WholeContent } from "./read-all.js";

const link = "trojan://pw@a.example:443#a";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const item = "  - {name: a, type: trojan, server: a.example, port: 443, password: pw}\n";

/** The format and the numbers of nodes and rejected entries, or the reason why the content is refused. */
function summaryOf(body: string): string {
  try {
    const { format, nodes, rejected } = readAll(body);
    return `${format} ${nodes.length}+${rejected.length}`;
  } catch (error) {
    if (error instanceof ContentRefused) return error.reason;
    throw error;
  }
}

describe("content", () => {
  it.each([
    ["nothing", " \r\n\ufeff", "undefined 0+0"],
    ["a link", link, "uri-list 1+0"],
    ["links with each line ending", `\ufeff# a\r\n${link}\r${link}\n\n; b\n// c\n  ${link}\n`, "uri-list 3+0"],
    ["links among prose", `${link}\nprose\nsee ${link}`, "uri-list 1+2"],
    ["a link of an unknown scheme", "gopher://a.example", "uri-list 0+1"],
    ["comments alone", "# a\n// b", "uri-list 0+0"],
    ["a name that is not UTF-8", `${link}\ntrojan://p@h.example#\ufffd`, "uri-list 2+0"],
    ["prose", `see ${link}`, "unknown-format"],
    ["a web page with a link", `<pre>\n${link}\n</pre>`, "unknown-format"],
    ["bytes that are not text", "#\ufffd\ufffd", "unknown-format"],
    ["base64", base64(`${link}\r\nx\n`), "base64-uri-list 1+1"],
    [
      "base64 in lines, without padding",
      base64(link)
        .replace(/=/g, "")
        .replace(/(.{10})/g, "$1\r\n "),
      "base64-uri-list 1+0",
    ],
    ["base64 of the URL-safe alphabet", Buffer.from(`${link}???~~~`).toString("base64url"), "base64-uri-list 1+0"],
    ["base64 of comments", base64("# a"), "base64-uri-list 0+0"],
    ["base64 twice", base64(base64(link)), "unknown-format"],
    ["base64 of Clash", base64(`proxies:\n${item}`), "unknown-format"],
    ["base64 with a foreign character", `${base64(link)}!`, "unknown-format"],
    ["Clash", `proxies:\n${item}`, "clash 1+0"],
    ["Clash with quotes and a remark at its key", `"proxies": # all\n\n# of them\n${item}`, "clash 1+0"],
    ["Clash without proxies", "proxies: ~ # none\nrules: []", "clash 0+0"],
    [
      "Clash with tags and a second document",
      `proxies:\n${item.replace("pw", "!<str> pw")}---\nproxies: []\n`,
      "clash 1+0",
    ],
    ["Clash with control characters", `proxies:\n${item.replace("name: a", "name: a\u0007")}`, "clash 1+0"],
    [
      "Clash with merge keys",
      `x: &x {type: trojan, server: a, port: 1}\nproxies: [{<<: *x, password: p}]`,
      "clash 1+0",
    ],
    ["Clash in another key", `x:\n  proxies:\n  ${item}`, "unknown-format"],
    ["a mention of proxies", "proxies:\nare expensive. They are.", "unknown-format"],
    ["a repeated key", `proxies:\n  - {name: a, name: b}\n${item}`, "unknown-format"],
    ["YAML that ends early", `proxies:\n${item}  - {name: "b`, "unknown-format"],
    ["sing-box", '{"outbounds":[null,{"type":"direct"}]}', "sing-box 0+1"],
    ["sing-box with control characters", '{"outbounds":[{"type":"direct","tag":"a\u0007\n"}]}', "sing-box 0+0"],
    ["SIP008", '{"version":1,"servers":[]}', "sip008 0+0"],
    ["Xray", '{"outbounds":[{"protocol":"vless"}]}', "unknown-format"],
    ["another JSON document", '{"servers":[],"version":null,"proxies":1}', "sip008 0+0"],
    ["a JSON list", "[1]", "unknown-format"],
    ["JSON that ends early", '{"version":1,"servers":[{"server":"a"', "unknown-format"],
  ])("is detected: %s", (_, body, want) => {
    expect(summaryOf(body)).toBe(want);
  });

  it("keeps the text of numbers in YAML", () => {
    const { nodes } = readAll("proxies: [{name: 1e3, type: trojan, server: a, port: 0443, password: 08}]");
    expect(nodes).toMatchObject([{ node: { name: "1e3", port: 443, settings: { password: "08" } } }]);
  });
});

const merged = `{${Array.from({ length: 1_000 }, (_, n) => `k${n}: v`)}}`;
const nested = Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}, *a${n}]\n`).join("");
const nestedKeys = Array.from(
  { length: 40 },
  (_, n) => `b${n + 1}: &b${n + 1} {x: *b${n}, y: *b${n}, z: *b${n}}\n`,
).join("");

describe("hostile content", () => {
  it.each([
    ["deep YAML", `proxies: ${"[".repeat(50_000)}`, "too-complex"],
    ["a million items in YAML", `proxies:\n${"- a\n".repeat(1_000_000)}`, "too-complex"],
    ["masses of aliases", `x: &x a\nproxies: [${"*x,".repeat(300_000)}]`, "too-complex"],
    ["masses of merged keys", `x: &x ${merged}\nproxies:\n${"- <<: *x\n".repeat(1_000)}`, "too-complex"],
    ["more than 20,000 proxies in YAML", `proxies:\n${item.repeat(20_001)}`, "too-many-entries"],
    ["20,000 proxies in YAML", `proxies:\n${item.repeat(20_000)}`, "clash 20000+0"],
    ["nested aliases", `a0: &a0 x\n${nested}proxies: [*a40, {name: *a40, type: *a40}]`, "clash 0+2"],
    [
      "nested aliases of objects",
      `b0: &b0 {t: x}\n${nestedKeys}proxies: [{type: trojan, password: *b40}]`,
      "clash 0+1",
    ],
    ["a million objects in JSON", `[${"{},".repeat(1_000_000)}{}]`, "too-complex"],
    ["deep JSON", `{"outbounds":${"[".repeat(200_000)}`, "unknown-format"],
    ["more than 500,000 entries", `${link}\n`.repeat(500_001), "too-many-entries"],
    ["a million blank lines", `${link}\n${"\n".repeat(1_000_000)}${link}`, "uri-list 2+0"],
    ["a long line", `${link}\n${"x".repeat(1_000_000)}`, "uri-list 1+1"],
    ["a long line in base64", base64(`${link}\n${"x".repeat(1_000_000)}`), "base64-uri-list 1+1"],
    ["a long word", "x".repeat(4_000_000), "unknown-format"],
  ])("is bounded: %s", (_, body, want) => {
    expect(summaryOf(body)).toBe(want);
  });
});

const seeds = [
  `# a\n${link}\nvless://u@[2001:db8::1]:443?security=reality&pbk=k#b\nss://YWVzLTI1Ni1nY206cA@h.example:8388\nhy2://p@h:1,2-3\n`,
  `vmess://${base64('{"add":"h.example","port":443,"id":"u","ps":"n"}')}\nssr://${base64("h:1:o:m:p:cHc/?remarks=YQ")}\nsocks://${base64("u:p@h:1")}\n`,
  base64(`${link}\n${link}`),
  `base: &a {type: trojan}\nproxies:\n${item}  - {<<: *a, server: "b", port: 1, password: p, ws-opts: {path: [a, b]}}\n`,
  '{"outbounds":[{"type":"trojan","tag":"a","server":"h","server_port":443,"password":"p","tls":{"enabled":true}}]}',
  '{"version":1,"servers":[{"remarks":"a","server":"h","server_port":1,"method":"m","password":"p"}]}',
];
const pieces = [
  ..."\n\r\0 \t:#,{}[]\"'\\@%=?&/-*<",
  ..."://|- |&a |*a|<<: |!!str |%00|%ff|\ufeff|\ud800|\u202e|__proto__|constructor|proxies:\n|null".split("|"),
  ...'trojan://|type=|"type":"trojan"|-1|65536|0x7f.1'.split("|"),
  ...["[".repeat(200), "{a: ".repeat(50), "a".repeat(9_000)],
];
const edit = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(20), fc.constantFrom(...pieces));

function problemsOf({ nodes, rejected }: WholeContent): string[] {
  const problems = nodes.map(({ node: { name, server, port } }) => {
    if (name.length > 256 || /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u.test(name)) return `name ${name}`;
    if (isIP(server) === 0 && (/[\p{C}\p{Z}/\\?#@:[\]<>"'%]/u.test(server) || server === "")) return `server ${server}`;
    return Number.isInteger(port) && port >= 1 && port <= 65_535 ? "" : `port ${port}`;
  });
  const wrong = rejected.filter(({ scheme, reason }) => {
    return !/^([a-z0-9][a-z0-9+.-]{0,31})?$/.test(scheme) || !Object.hasOwn(rejectionReasons, reason);
  });
  const ordinals = [...nodes, ...rejected].map(({ ordinal }) => ordinal).toSorted((one, other) => one - other);
  const gaps = ordinals.filter((ordinal, index) => ordinal !== index + 1).map((ordinal) => `ordinal ${ordinal}`);
  return [...problems.filter(Boolean), ...wrong.map(({ scheme }) => `rejection ${scheme}`), ...gaps];
}

it("gives only valid entries, numbered without gaps, whatever is changed in content", () => {
  const formats = new Set<unknown>();
  fc.assert(
    fc.property(fc.constantFrom(...seeds), fc.array(edit, { maxLength: 4 }), (seed, edits) => {
      const body = edits.reduce((text, [where, length, piece]) => {
        const start = Math.floor(where * text.length);
        return text.slice(0, start) + piece + text.slice(start + length);
      }, seed);
      if (/^(unknown|too)-/.test(summaryOf(body))) return;
      const content = readAll(body);
      formats.add(content.format);
      expect(problemsOf(content)).toEqual([]);
    }),
    { seed: propertySeed, numRuns: propertyRuns(3_000) },
  );
  expect(formats).toEqual(new Set(["uri-list", "base64-uri-list", "clash", "sing-box", "sip008"]));
  expect({}).not.toHaveProperty("x");
});
