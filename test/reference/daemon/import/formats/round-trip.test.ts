import fc from "fast-check";
import { dump } from "js-yaml";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { propertyRuns, propertySeed } from "../../../../support/property-seed.js";
import { readAll } from "./read-all.js";
import { type StructuredNode, shadowsocksNode, structuredNode } from "./structured-node.js";
import { clashProxy, singBoxOutbound, sip008Server } from "./write-node.js";

const parameters = { seed: propertySeed, numRuns: propertyRuns(150) };
/** More nodes than are read in one part. */
const padding = "#".repeat(65_536);
const nodes = fc.array(structuredNode, { minLength: 1, maxLength: 6 });

function expectNodes(text: string, format: string, written: readonly StructuredNode[]): void {
  const content = readAll(text);
  expect(content?.format).toBe(format);
  expect(content?.rejected).toEqual([]);
  expect(content?.nodes).toEqual(written.map((node, index) => ({ ordinal: index + 1, node })));
}

it.each<[string, (proxies: readonly unknown[]) => string]>([
  ["in blocks", (proxies) => dump({ port: 7890, proxies, rules: ["MATCH,DIRECT"] })],
  ["in blocks by another program", (proxies) => stringify({ port: 7890, proxies, rules: ["MATCH,DIRECT"] })],
  [
    "with items on one line",
    (proxies) => `proxies:\n${proxies.map((proxy) => `  - ${JSON.stringify(proxy)}\n`).join("")}rules: []\n`,
  ],
  ["with plain items on one line", (proxies) => dump({ proxies }, { flowLevel: 2 })],
  ["as one flow", (proxies) => `proxies: ${JSON.stringify(proxies)}\n`],
  ["as one flow, long", (proxies) => `${padding}\nproxies: ${JSON.stringify(proxies)}\n`],
  ["as one plain flow, long", (proxies) => `${padding}\n${dump({ proxies }, { flowLevel: 1, lineWidth: -1 })}`],
  ["in a long JSON document", (proxies) => JSON.stringify({ padding, proxies })],
  ["in a JSON document", (proxies) => JSON.stringify({ port: 7890, proxies }, null, 2)],
  ["with dashes below the key", (proxies) => `proxies:\n${dump(proxies)}`],
])("reads nodes back from Clash %s", (_, write) => {
  fc.assert(
    fc.property(nodes, (written) => expectNodes(write(written.map(clashProxy)), "clash", written)),
    parameters,
  );
});

it.each([0, 2, "\t"])("reads nodes back from sing-box with indentation %j", (indentation) => {
  const others = [
    { type: "direct", tag: "direct" },
    { type: "selector", tag: "s", outbounds: ["a"] },
  ];
  fc.assert(
    fc.property(nodes, fc.constantFrom("outbounds", "endpoints"), (written, list) => {
      const document = { log: {}, [list]: [...others, ...written.map(singBoxOutbound)], route: { final: "direct" } };
      expectNodes(JSON.stringify(document, null, indentation), "sing-box", written);
    }),
    parameters,
  );
});

it("reads nodes back from SIP008", () => {
  fc.assert(
    fc.property(fc.array(shadowsocksNode, { minLength: 1, maxLength: 6 }), fc.boolean(), (written, isBare) => {
      const servers = written.map(sip008Server);
      expectNodes(JSON.stringify(isBare ? servers : { version: 1, servers }), "sip008", written);
    }),
    parameters,
  );
});
