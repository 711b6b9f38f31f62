import { describe, expect, it } from "vitest";
import { parseLink } from "../../../../../reference/daemon/import/schemes/parse-link.js";
import { nodeOf, type Row } from "./node-of.js";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const vmess = (fields: object) =>
  `vmess://${base64(JSON.stringify({ add: "h.example", port: 443, id: "u", ...fields }))}`;
const uuid = "7c4a8d09-ca37-4262-9d3b-5f0a1e8b6c12";
const trojan = { protocol: "trojan", security: "tls", settings: { password: "p" } } as const;
const vless = { protocol: "vless", settings: { uuid } } as const;
const vmessOf = { protocol: "vmess", settings: { uuid: "u" } } as const;

const links: readonly Row[] = [
  [
    "trojan://p%40ss@tr.example.net:443?sni=tr.example.net#A",
    { ...trojan, name: "A", server: "tr.example.net", settings: { password: "p@ss", sni: "tr.example.net" } },
  ],
  ["trojan://p@h.example", trojan],
  ["trojan://a:b@c@h.example:443/", { ...trojan, settings: { password: "a:b@c" } }],
  [
    "trojan://pX3!c9@[2001:db8::15]:443#IPv6%20only",
    { ...trojan, name: "IPv6 only", server: "2001:db8::15", settings: { password: "pX3!c9" } },
  ],
  ["trojan://p@h.example?security=none", { ...trojan, security: "none" }],
  [
    "trojan://p@h.example?type=ws&path=%2Fws&host=cdn",
    { ...trojan, transport: "websocket", settings: { password: "p", path: "/ws", host: "cdn" } },
  ],
  [
    "trojan://p@h.example?ws=1&wspath=%2Fws",
    { ...trojan, transport: "websocket", settings: { password: "p", path: "/ws" } },
  ],
  ["trojan://p@h.example?type=tcp&ws=1", trojan],
  ["trojan://p@h.example?type=WS", { ...trojan, transport: "websocket" }],
  [
    "trojan://p@h.example?type=grpc&serviceName=s",
    { ...trojan, transport: "grpc", settings: { password: "p", serviceName: "s" } },
  ],
  [
    "trojan://p@h.example?type=tcp&headerType=http",
    { ...trojan, transport: "http", settings: { password: "p", headerType: "http" } },
  ],
  [
    "trojan://p@h.example?pbk=k&sid=1",
    { ...trojan, security: "reality", settings: { password: "p", pbk: "k", sid: "1" } },
  ],
  [
    "trojan://p@h.example?peer=a&alpn=h2%2Chttp%2F1.1&fp=chrome",
    { ...trojan, settings: { password: "p", sni: "a", alpn: "h2,http/1.1", fp: "chrome" } },
  ],
  ["trojan://p@h.example?allowInsecure=1", { ...trojan, checksCertificate: false }],
  ["trojan://p@h.example?insecure=true", { ...trojan, checksCertificate: false }],
  ["trojan://p@h.example?skip-cert-verify=TRUE", { ...trojan, checksCertificate: false }],
  ["trojan://p@h.example?allowInsecure=0&allow_insecure=1", { ...trojan, checksCertificate: false }],
  ["trojan://p@h.example?allowInsecure=0", trojan],
  ["trojan://p@h.example?unknown=1&password=x&__proto__=y", trojan],

  [`vless://${uuid}@h.example:443?encryption=none&type=raw`, { ...vless, settings: { uuid, encryption: "none" } }],
  [
    `vless://${uuid}@h.example:443?security=tls&type=xhttp&mode=auto`,
    { ...vless, security: "tls", transport: "xhttp", settings: { uuid, mode: "auto" } },
  ],
  [
    `vless://${uuid}@h.example:443?security=reality&pbk=k&sid=01&spx=%2F&flow=xtls-rprx-vision&fp=chrome&sni=a#n`,
    {
      ...vless,
      name: "n",
      security: "reality",
      settings: { uuid, pbk: "k", sid: "01", spx: "/", flow: "xtls-rprx-vision", fp: "chrome", sni: "a" },
    },
  ],
  [`vless://${uuid}@h.example:443?type=kcp&seed=s`, { ...vless, transport: "kcp", settings: { uuid, seed: "s" } }],
  [`vless://${uuid}@h.example:443?type=httpupgrade`, { ...vless, transport: "httpupgrade" }],
  [`vless://${uuid}@h.example:443?type=h2`, { ...vless, transport: "http" }],

  [
    "vmess://eyJ2IjoiMiIsInBzIjoiaGstMDEiLCJhZGQiOiJ2bS5leGFtcGxlLm5ldCIsInBvcnQiOiI0NDMiLCJpZCI6IjAwMDAwMDAwLTAwMDAtNDAwMC04MDAwLTAwMDAwMDAwMDAwMSIsImFpZCI6IjAiLCJzY3kiOiJhdXRvIiwibmV0Ijoid3MiLCJ0eXBlIjoibm9uZSIsImhvc3QiOiJjZG4uZXhhbXBsZS5uZXQiLCJwYXRoIjoiL3JheSIsInRscyI6InRscyIsInNuaSI6ImNkbi5leGFtcGxlLm5ldCIsImFscG4iOiJoMixodHRwLzEuMSIsImZwIjoiY2hyb21lIn0=",
    {
      protocol: "vmess",
      name: "hk-01",
      server: "vm.example.net",
      transport: "websocket",
      security: "tls",
      settings: {
        ...{ uuid: "00000000-0000-4000-8000-000000000001", aid: "0", encryption: "auto", headerType: "none" },
        ...{ host: "cdn.example.net", path: "/ray", sni: "cdn.example.net", alpn: "h2,http/1.1", fp: "chrome" },
      },
    },
  ],
  [vmess({}), vmessOf],
  [vmess({ port: "443", aid: 0, v: 2, ps: "日本" }), { ...vmessOf, name: "日本", settings: { uuid: "u", aid: "0" } }],
  [`${vmess({})}#fallback`, { ...vmessOf, name: "fallback" }],
  [vmess({ add: "2001:db8::1" }), { ...vmessOf, server: "2001:db8::1" }],
  [
    vmess({ tls: "", net: "tcp", type: "http" }),
    { ...vmessOf, transport: "http", settings: { uuid: "u", headerType: "http" } },
  ],
  [
    vmess({ net: "grpc", path: "s", type: "gun" }),
    { ...vmessOf, transport: "grpc", settings: { uuid: "u", serviceName: "s", mode: "gun" } },
  ],
  [vmess({ net: "kcp", path: "s" }), { ...vmessOf, transport: "kcp", settings: { uuid: "u", seed: "s" } }],
  [
    vmess({ net: "quic", host: "none", path: "k" }),
    { ...vmessOf, transport: "quic", settings: { uuid: "u", quicSecurity: "none", key: "k" } },
  ],
  [vmess({ tls: true, allowInsecure: "1" }), { ...vmessOf, security: "tls", checksCertificate: false }],
  [vmess({ tls: "reality", pbk: "k" }), { ...vmessOf, security: "reality", settings: { uuid: "u", pbk: "k" } }],
  [vmess({ ["__proto__"]: { id: "x" }, sni: {}, host: null, path: [] }), vmessOf],
  [
    "vmess://u@h.example:443?type=ws&path=%2F&security=tls&encryption=auto#n",
    {
      ...vmessOf,
      name: "n",
      transport: "websocket",
      security: "tls",
      settings: { uuid: "u", path: "/", encryption: "auto" },
    },
  ],
];

describe("parseLink with trojan, vless and vmess links", () => {
  it.each(links)("reads %j", (link, want) => {
    expect(parseLink(link)).toEqual(nodeOf(want));
  });
});
