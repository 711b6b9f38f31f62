import { isIPv4, isIPv6 } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../../../../reference/daemon/import/entry.js";
import { rejectionReasons } from "../../../../../reference/daemon/import/entry.js";
import { maxEntryLength, parseLink, schemes } from "../../../../../reference/daemon/import/schemes/parse-link.js";
import { anyCharacter } from "../../../../support/any-character.js";
import { propertyRuns, propertySeed } from "../../../../support/property-seed.js";
import { linkBuilders } from "./link-builders.js";

/** Describes what is wrong with an entry, whatever the line was. */
function problems(line: string, entry: Entry): string[] {
  if (entry.kind === "rejected") {
    const begins = line.trim().toLowerCase().startsWith(`${entry.scheme}://`);
    return [
      ...(Object.keys(entry).toSorted().join() === "kind,reason,scheme" ? [] : ["holds more than it may"]),
      ...(entry.scheme === "" || (begins && /^[a-z][a-z0-9+.-]{0,29}$/.test(entry.scheme)) ? [] : ["scheme"]),
      ...(Object.hasOwn(rejectionReasons, entry.reason) ? [] : ["reason"]),
    ];
  }
  const { name, server, port, settings } = entry.node;
  const values = Object.values(settings);
  return [
    ...(Number.isInteger(port) && port >= 1 && port <= 65_535 ? [] : ["port"]),
    ...(isIPv4(server) || isIPv6(server) || isName(server) ? [] : ["server"]),
    ...(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(name) || name.length > 256 || name !== name.trim()
      ? ["name"]
      : []),
    ...(values.every((value) => typeof value === "string" && value !== "") ? [] : ["settings"]),
    ...(values.join("").length <= maxEntryLength ? [] : ["settings are longer than the link"]),
    ...(Object.getPrototypeOf(settings) === Object.prototype ? [] : ["prototype"]),
  ];
}

function isName(server: string): boolean {
  return server !== "" && server.length <= 253 && !/[\p{C}\p{Z}/\\?#@:[\]<>"'%]/u.test(server);
}

const hostile = fc.oneof(
  fc.constantFrom(...'%@#?:/&=[]+-,;.\\"{}\0\r\n\t\u202e\ufeff\ud800\udc00 0🇩'),
  fc.constantFrom("://", "%00", "%ff", "%f0%9f", "%u0041", "@@", "::", "[::1]", "..", "0x7f.1", "-1", "65536", "443,"),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "type=",
    "mport=",
    "plugin=",
    "?obfs=salamander",
    "&",
    "eyJ9",
    "trojan://",
  ),
  fc.string({ unit: anyCharacter, maxLength: 5 }),
  fc
    .tuple(fc.constantFrom(..."%@#?:/&=[.a0{\0"), fc.integer({ min: 10, max: 9000 }))
    .map(([unit, n]) => unit.repeat(n)),
);

type Mutation = (line: string) => string;
const place = fc.double({ min: 0, max: 1, noNaN: true });
const at = (line: string, place: number) => Math.floor(place * line.length);

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place, hostile).map(
    ([p, piece]) =>
      (line: string) =>
        line.slice(0, at(line, p)) + piece + line.slice(at(line, p)),
  ),
  fc.tuple(place, hostile).map(
    ([p, piece]) =>
      (line: string) =>
        line.slice(0, at(line, p)) + piece + line.slice(at(line, p) + 1),
  ),
  fc.tuple(place, place).map(
    ([p, q]) =>
      (line: string) =>
        line.slice(0, at(line, p)) + line.slice(at(line, q)),
  ),
  place.map((p) => (line: string) => line.slice(0, at(line, p))),
  fc.tuple(place, fc.integer({ min: 0, max: 255 })).map(([p, byte]) => (line: string) => {
    const bytes = Buffer.from(line);
    bytes[Math.floor(p * bytes.length)] = byte;
    return bytes.toString();
  }),
  place.map((p) => (line: string) => line.slice(at(line, p)) + line.slice(0, at(line, p))),
  // Modifies the decoded content of base64.
  fc.tuple(place, hostile).map(([p, piece]) => (line: string) => {
    const [scheme, rest = ""] = line.split("://", 2);
    const inside = Buffer.from(rest, "base64").toString();
    const changed = inside.slice(0, at(inside, p)) + piece + inside.slice(at(inside, p) + 1);
    return `${scheme}://${Buffer.from(changed).toString("base64")}`;
  }),
);

const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 });

describe("parseLink with mutated links", () => {
  it.each(Object.entries(linkBuilders))("returns only valid entries for %s", (_, links) => {
    fc.assert(
      fc.property(links, mutations, ({ link }, mutations) => {
        const line = mutations.reduce((line, mutate) => mutate(line), link);
        expect(problems(line, parseLink(line))).toEqual([]);
      }),
      { seed: propertySeed, numRuns: propertyRuns(400) },
    );
  });
});

describe("parseLink with arbitrary lines", () => {
  it("returns only valid entries", () => {
    const scheme = fc.constantFrom("", "://", ...schemes.flatMap(({ names }) => names.map((name) => `${name}://`)));
    fc.assert(
      fc.property(scheme, fc.array(hostile, { maxLength: 8 }), (scheme, pieces) => {
        const line = scheme + pieces.join("");
        expect(problems(line, parseLink(line))).toEqual([]);
      }),
      { seed: propertySeed, numRuns: propertyRuns(3000) },
    );
  });
});

describe("parseLink with lines of the maximum length", () => {
  const units = [
    "@",
    "%",
    "%f",
    "%ff",
    "%41",
    "%e9%a6%99",
    ":",
    "=",
    "a=&",
    "&",
    "?",
    "#",
    "/",
    "[",
    "]",
    ".",
    "a.",
    "-",
    ",",
    "1-",
    "\0",
  ];
  const names = schemes.flatMap((scheme) => scheme.names);
  const starts = [
    "",
    "p@h.example:443",
    "p@h.example:443?sni=",
    "p@h.example:443?",
    "p@h.example:443#",
    "p@",
    "u:p@h.example:",
  ];

  it.each(units)("returns only valid entries for repeated %j", (unit) => {
    for (const name of names) {
      for (const start of starts) {
        const begin = `${name}://${start}`;
        const line = begin + unit.repeat(Math.floor((maxEntryLength - begin.length) / unit.length));
        expect(problems(line, parseLink(line))).toEqual([]);
      }
    }
  });

  it.each(["[", "{", '{"a":', '"', "\\u0000", " ", "9", "1e9", "香"])(
    "returns only valid entries for base64 of repeated %j",
    (unit) => {
      for (const name of names) {
        const text = unit.repeat(6000).slice(0, 6000);
        const line = `${name}://${Buffer.from(text).toString("base64")}`.slice(0, maxEntryLength);
        expect(problems(line, parseLink(line))).toEqual([]);
      }
    },
  );
});
