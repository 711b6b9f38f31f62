import fc from "fast-check";
import { dump } from "js-yaml";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { propertyRuns, propertySeed } from "../../../../support/property-seed.js";
import { readAll } from "./read-all.js";

/** Describes the entries of content, in order. */
function describeAll(body: string): string[] {
  const { nodes, rejected } = readAll(body);
  const lines: string[] = [];
  for (const { ordinal, node } of nodes) {
    const { protocol, server, port, name, transport, security, checksCertificate } = node;
    const carrier = protocol === "trojan" ? ` ${transport} ${security}` : "";
    lines[ordinal] = `${protocol} ${server}:${port} ${name}${carrier}${checksCertificate ? "" : " unchecked"}`;
  }
  for (const { ordinal, scheme, reason } of rejected) lines[ordinal] = `${scheme} ${reason}`.trim();
  return lines.slice(1);
}

const at = "name: n, server: h.example, port: 443";

describe("a Clash proxy", () => {
  it.each([
    [`{${at}, type: trojan, password: 08}`, "trojan h.example:443 n tcp tls"],
    [
      `{${at}, type: Trojan, password: p, network: ws, skip-cert-verify: true}`,
      "trojan h.example:443 n websocket tls unchecked",
    ],
    [
      `{${at}, type: trojan, password: p, reality-opts: {public-key: k, short-id: 08}}`,
      "trojan h.example:443 n tcp reality",
    ],
    [`{type: trojan, server: "2001:db8::1", port: "443", password: p}`, "trojan 2001:db8::1:443  tcp tls"],
    [
      `{${at}, type: ss, cipher: c, password: p, plugin: obfs, plugin-opts: {mode: tls}}`,
      "shadowsocks h.example:443 n",
    ],
    [`{${at}, type: ssr, cipher: c, password: p}`, "shadowsocksr h.example:443 n"],
    [`{${at}, type: vless, uuid: u, tls: true, network: xhttp}`, "vless h.example:443 n"],
    [`{${at}, type: vmess, uuid: u, network: ws, skip-cert-verify: true}`, "vmess h.example:443 n"],
    [`{${at}, type: http, username: u}`, "http h.example:443 n"],
    [`{${at}, type: socks5}`, "socks h.example:443 n"],
    [`{${at}, type: hysteria2, password: p, obfs: salamander, obfs-password: o}`, "hysteria2 h.example:443 n"],
    [`{name: n, server: h.example, type: hysteria2, ports: 10-20/30}`, "hysteria2 h.example:10 n"],
    [`{${at}, type: tuic, token: t}`, "tuic h.example:443 n"],
    [`{${at}, type: wireguard, private-key: k, public-key: p}`, "wireguard h.example:443 n"],
    [
      `{name: n, type: wireguard, private-key: k, peers: [{server: h.example, port: 1, public-key: p}]}`,
      "wireguard h.example:1 n",
    ],
    ["{name: n, type: trojan, server: h.example, password: p}", "trojan missing-port"],
    [`{${at}, type: trojan}`, "trojan missing-password"],
    [`{${at}, type: ss, password: p}`, "ss missing-method"],
    [`{${at}, type: vmess, uuid: u, network: pigeon}`, "vmess unknown-transport"],
    [`{${at}, type: hysteria2, obfs: salamander}`, "hysteria2 missing-obfuscation-password"],
    [`{${at}, type: carrier-pigeon}`, "carrier-pigeon unknown-type"],
    [`{${at}, type: kJ8mPq4L}`, "unknown-type"],
    [`{${at}, type: constructor}`, "constructor unknown-type"],
    [`{${at}}`, "unknown-type"],
    [`{${at}, type: trojan, password: ${"p".repeat(9_000)}}`, "trojan too-long"],
    ["[]", "undecodable"],
    ["text", "undecodable"],
    ["null", "undecodable"],
  ])("is read: %s", (proxy, want) => {
    const other = `{${at}, type: trojan, password: p}`;
    const lines = [want, "trojan h.example:443 n tcp tls"];
    expect(describeAll(`proxies:\n- ${proxy}\n- {type: direct}\n- ${other}\n`)).toEqual(lines);
    expect(describeAll(`port: 1\nProxy: [${proxy}, ${other}]`)).toEqual(lines);
  });

  it("keeps all its settings as text", () => {
    const proxy = `{${at}, type: vless, uuid: u, ws-opts: {path: /, headers: {Host: h}}, alpn: [h2, h3], __proto__: {x: y}}`;
    expect(readAll(`proxies: [${proxy}]`).nodes[0]?.node.settings).toEqual({
      ...{ name: "n", server: "h.example", port: "443", type: "vless", uuid: "u" },
      ...{ "ws-opts.path": "/", "ws-opts.headers.Host": "h", alpn: "h2,h3", "__proto__.x": "y" },
    });
  });
});

describe("a sing-box outbound", () => {
  const outbound = { tag: "n", server: "h.example", server_port: 443 };
  const tls = { enabled: true, insecure: true, reality: { enabled: false } };
  const peers = [{ address: "h.example", port: 1, public_key: "p" }];
  it.each<[object, string]>([
    [{ ...outbound, type: "trojan", password: 5 }, "trojan h.example:443 n tcp none"],
    [{ ...outbound, type: "trojan", password: "p", tls }, "trojan h.example:443 n tcp tls unchecked"],
    [
      {
        ...outbound,
        type: "trojan",
        password: "p",
        tls: { enabled: true, reality: { enabled: true } },
        transport: { type: "grpc" },
      },
      "trojan h.example:443 n grpc reality",
    ],
    [{ ...outbound, type: "shadowsocks", method: "m", password: "p" }, "shadowsocks h.example:443 n"],
    [{ ...outbound, type: "vmess", uuid: "u", security: "auto" }, "vmess h.example:443 n"],
    [
      {
        tag: "n",
        type: "hysteria2",
        server: "h.example",
        server_ports: ["10:20", "5"],
        obfs: { type: "salamander", password: "o" },
      },
      "hysteria2 h.example:10 n",
    ],
    [{ ...outbound, type: "shadowtls" }, "shadowtls h.example:443 n"],
    [{ tag: "n", type: "wireguard", private_key: "k", address: ["10.0.0.2/32"], peers }, "wireguard h.example:1 n"],
    [{ ...outbound, type: "wireguard", private_key: "k", peer_public_key: "p" }, "wireguard h.example:443 n"],
    [{ ...outbound, type: "wireguard", private_key: "k" }, "wireguard missing-peer-key"],
    [{ tag: "n", type: "trojan", server: "h.example", password: "p" }, "trojan missing-port"],
    [{ type: "trojan", outbounds: Array.from({ length: 10_000 }, (_, n) => `node ${n}`) }, "trojan missing-password"],
  ])("is read: %j", (fields, want) => {
    const groups = ["direct", "selector", "urltest", "tor"].map((type) => ({ type, outbounds: ["n"] }));
    for (const list of ["outbounds", "endpoints"])
      expect(describeAll(JSON.stringify({ log: {}, [list]: [...groups, fields] }))).toEqual([want]);
  });
});

it("reads SIP008 servers", () => {
  const server = { remarks: "n", server: "h.example", server_port: 8388, method: "m", password: "p" };
  const servers = [server, { ...server, method: "" }, { ...server, type: "trojan" }, 1, { ...server, server_port: 0 }];
  expect(describeAll(JSON.stringify({ version: 1, servers }))).toEqual([
    ...[
      "shadowsocks h.example:8388 n",
      "missing-method",
      "shadowsocks h.example:8388 n",
      "undecodable",
      "invalid-port",
    ],
  ]);
});

const text = fc
  .string({ unit: "grapheme", maxLength: 30 })
  .map((some) => some.replace(/[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]/gu, "").trim());
const proxy = fc.record({
  ...{ name: text, password: text.map((some) => `p${some}`), port: fc.integer({ min: 1, max: 65_535 }) },
  ...{
    type: fc.constantFrom("trojan", "hysteria2", "anytls"),
    server: fc.constantFrom("h.example", "2001:db8::1", "例え.jp"),
  },
});

it.each<[string, (proxies: readonly object[]) => string]>([
  ["blocks", (proxies) => dump({ port: 7890, proxies, rules: ["MATCH,DIRECT"] })],
  ["blocks of another program", (proxies) => stringify({ port: 7890, proxies, rules: ["MATCH,DIRECT"] })],
  ["a line each", (proxies) => `proxies:\n${proxies.map((one) => `  - ${JSON.stringify(one)}\n`).join("")}rules: []\n`],
  ["one flow", (proxies) => dump({ proxies }, { flowLevel: 1, lineWidth: -1 })],
  ["JSON", (proxies) => JSON.stringify({ proxies }, null, "\t")],
])("reads back any Clash proxies written as %s", (_, write) => {
  fc.assert(
    fc.property(fc.array(proxy, { minLength: 1, maxLength: 6 }), (proxies) => {
      const { format, nodes, rejected } = readAll(write(proxies));
      expect({ format, rejected }).toEqual({ format: "clash", rejected: [] });
      const read = nodes.map(({ node: { name, protocol: type, server, port, settings } }) => {
        return { name, password: settings.password, port, type, server };
      });
      expect(read).toEqual(proxies);
    }),
    { seed: propertySeed, numRuns: propertyRuns(150) },
  );
});
