import fc from "fast-check";
import type { ProxyNode, Security, Transport } from "../../../../../reference/daemon/import/proxy-node.js";

/** A node that Clash, sing-box and SIP008 can express, if they support its protocol. */
export interface StructuredNode extends ProxyNode {
  readonly protocol: "trojan" | "vless" | "vmess" | "shadowsocks" | "hysteria2" | "tuic" | "wireguard" | "anytls";
}

/** Text with a meaning in some format, and ordinary text. */
const awkward = fc.constantFrom(
  ...[
    "08",
    "1e3",
    "0x1f",
    "true",
    "null",
    "~",
    "yes",
    "- a",
    "a: b",
    "a #b",
    "#a",
    "&a",
    "*a",
    "!a",
    "%a",
    "@a",
    "`a",
    "? a",
  ],
  ...[
    "'",
    '"',
    "a'b",
    'a"b',
    "a\\b",
    "{a}",
    "[a]",
    "a,b",
    "|",
    ">",
    "<<",
    "=",
    ":",
    "a:",
    "日本 🇯🇵",
    "é",
    " ",
    "__proto__",
  ],
);
const text = fc.oneof(
  awkward,
  fc.string({ minLength: 1, maxLength: 20 }),
  fc.base64String({ minLength: 4, maxLength: 44 }),
);
/** Texts that cleaning and trimming do not change. */
const name = fc.oneof(awkward, fc.string({ maxLength: 20 })).map((some) => some.trim());
const server = fc.constantFrom("a.example", "b-1.c.example", "192.0.2.7", "2001:db8::7", "例え.example");

const transports: Readonly<Record<StructuredNode["protocol"], readonly Transport[]>> = {
  trojan: ["tcp", "websocket", "grpc"],
  vless: ["tcp", "websocket", "grpc", "http", "httpupgrade"],
  vmess: ["tcp", "websocket", "grpc", "http"],
  shadowsocks: ["tcp"],
  hysteria2: ["quic"],
  tuic: ["quic"],
  wireguard: ["udp"],
  anytls: ["tcp"],
};

const credentials: Readonly<Record<StructuredNode["protocol"], fc.Arbitrary<Record<string, string>>>> = {
  trojan: fc.record({ password: text }),
  vless: fc.record({ uuid: fc.uuid() }),
  vmess: fc.record({ uuid: fc.uuid() }),
  shadowsocks: fc.record({ method: fc.constantFrom("aes-256-gcm", "2022-blake3-aes-128-gcm"), password: text }),
  hysteria2: fc.record({ password: text }),
  tuic: fc.record({ uuid: fc.uuid(), password: text }),
  wireguard: fc.record({ privatekey: text, publickey: text, presharedkey: text }),
  anytls: fc.record({ password: text }),
};

function nodeOf(protocol: StructuredNode["protocol"]): fc.Arbitrary<StructuredNode> {
  const hasTls = protocol !== "shadowsocks" && protocol !== "wireguard";
  const choosesTls = protocol === "vless" || protocol === "vmess";
  const securities: readonly Security[] = choosesTls ? ["none", "tls"] : hasTls ? ["tls"] : ["none"];
  return fc
    .record({
      name,
      server,
      port: fc.integer({ min: 1, max: 65_535 }),
      transport: fc.constantFrom(...transports[protocol]),
      security: fc.constantFrom(...securities),
      checksCertificate: hasTls ? fc.boolean() : fc.constant(true),
      credentials: credentials[protocol],
      sni: fc.option(server, { nil: undefined }),
      path: fc.option(text, { nil: undefined }),
    })
    .map(({ credentials, sni, path, ...node }): StructuredNode => {
      const settings: Record<string, string> = { ...credentials };
      if (node.security === "tls" && sni !== undefined) settings.sni = sni;
      if (node.transport === "websocket" && path !== undefined) settings.path = path;
      if (node.transport === "grpc" && path !== undefined) settings.serviceName = path;
      return { protocol, ...node, checksCertificate: node.checksCertificate || node.security === "none", settings };
    });
}

export const structuredNode: fc.Arbitrary<StructuredNode> = fc.oneof(
  ...(["trojan", "vless", "vmess", "shadowsocks", "hysteria2", "tuic", "wireguard", "anytls"] as const).map(nodeOf),
);

export const shadowsocksNode: fc.Arbitrary<StructuredNode> = nodeOf("shadowsocks");
