import { isIP } from "node:net";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ContentRefused } from "../../../../../reference/daemon/import/content.js";
import { rejectionReasons } from "../../../../../reference/daemon/import/entry.js";
import type { ProxyNode } from "../../../../../reference/daemon/import/proxy-node.js";
import { decodeText } from "../../../../../reference/daemon/import/reading/decode-text.js";
import { propertyRuns, propertySeed } from "../../../../support/property-seed.js";
import { bodies, readBody } from "../../corpus-bodies.js";
import { mutations } from "./mutation.js";
import { type ReadContent, readAll } from "./read-all.js";

const word = /^(?:[a-z0-9][a-z0-9+.-]{0,31})?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: matching them is the purpose.
const unfit = /[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/;
const hostName = /^[^\s\p{C}:/?#@[\]]+$/u;

/** Describes what is wrong with a node; undefined if it is valid. */
function fault({ name, server, port, settings }: ProxyNode): string | undefined {
  if (name.length > 256 || unfit.test(name) || Buffer.from(name).toString() !== name) return "name";
  if (!hostName.test(server) && isIP(server) === 0) return "server";
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return "port";
  if (Object.getPrototypeOf(settings) !== Object.prototype) return "settings";
  const values: unknown[] = Object.values(settings);
  return values.every((value) => typeof value === "string" && value !== "") ? undefined : "settings";
}

function readUnlessRefused(text: string): ReadContent | undefined {
  try {
    return readAll(text);
  } catch (error) {
    expect(error).toBeInstanceOf(ContentRefused);
    return undefined;
  }
}

it("reads only valid entries from corrupted content, and always terminates", () => {
  const all = bodies.map((name) => ({ name, bytes: readBody(name) }));
  const formats = new Map<string, number>();
  fc.assert(
    fc.property(fc.constantFrom(...all), mutations, ({ bytes }, mutate) => {
      const text = decodeText(mutate(bytes));
      const content = text === "" ? undefined : readUnlessRefused(text);
      if (content === undefined) return;
      formats.set(content.format, (formats.get(content.format) ?? 0) + 1);
      const ordinals = [...content.nodes, ...content.rejected].map(({ ordinal }) => ordinal).sort((a, b) => a - b);
      expect(ordinals).toEqual(ordinals.map((_, index) => index + 1));
      expect(content.nodes.map(({ node }) => fault(node)).filter((problem) => problem !== undefined)).toEqual([]);
      for (const entry of content.rejected) {
        expect(Object.keys(entry)).toEqual(["ordinal", "scheme", "reason"]);
        expect(entry.scheme).toMatch(word);
        expect(rejectionReasons).toHaveProperty(entry.reason);
      }
    }),
    { seed: propertySeed, numRuns: propertyRuns(3_000) },
  );
  for (const format of ["uri-list", "base64-uri-list", "clash", "sing-box", "sip008"])
    expect(formats.get(format)).toBeGreaterThan(0);
  expect({}).not.toHaveProperty("polluted");
});
