import { describe, expect, it } from "vitest";
import { parseLink } from "../../../../../reference/daemon/import/schemes/parse-link.js";
import { nodeOf, type Row } from "./node-of.js";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const uuid = "7c4a8d09-ca37-4262-9d3b-5f0a1e8b6c12";
const hy2 = { protocol: "hysteria2", transport: "quic", security: "tls", settings: { password: "p" } } as const;
const wg = {
  protocol: "wireguard",
  transport: "udp",
  port: 51_820,
  settings: { privatekey: "k", publickey: "p" },
} as const;
const anytls = { protocol: "anytls", security: "tls", settings: { password: "p" } } as const;

const links: readonly Row[] = [
  [
    "hysteria://h.example:443?auth=a&peer=s&insecure=1&upmbps=10&downmbps=20&alpn=h3&obfs=xplus&obfsParam=o&protocol=udp#n",
    {
      ...{ protocol: "hysteria", name: "n", transport: "quic", security: "tls", checksCertificate: false },
      settings: {
        auth: "a",
        sni: "s",
        upmbps: "10",
        downmbps: "20",
        alpn: "h3",
        obfs: "xplus",
        obfsParam: "o",
        protocol: "udp",
      },
    },
  ],
  [
    "hysteria://h.example:443?mport=5000-6000",
    { protocol: "hysteria", transport: "quic", security: "tls", settings: { ports: "5000-6000" } },
  ],

  [
    "hysteria2://letmein@example.com:123,5000-6000/?insecure=1&obfs=salamander&obfs-password=gawrgura&pinSHA256=deadbeef&sni=real.example.com#cool-server",
    {
      ...hy2,
      ...{ name: "cool-server", server: "example.com", port: 123, checksCertificate: false },
      settings: {
        ...{ password: "letmein", ports: "123,5000-6000", obfs: "salamander", "obfs-password": "gawrgura" },
        ...{ pinSHA256: "deadbeef", sni: "real.example.com" },
      },
    },
  ],
  ["hy2://h.example", { ...hy2, settings: {} }],
  ["hy2://user:pass@h.example:8443", { ...hy2, port: 8443, settings: { password: "user:pass" } }],
  [
    "hy2://p@h.example:8443?mport=5000-6000,7000",
    { ...hy2, port: 8443, settings: { password: "p", ports: "5000-6000,7000" } },
  ],
  ["hy2://p@h.example?mport=5000-6000", { ...hy2, port: 5000, settings: { password: "p", ports: "5000-6000" } }],
  [
    "hy2://p@[2001:db8::1]:1-2?mport=5",
    { ...hy2, server: "2001:db8::1", port: 1, settings: { password: "p", ports: "1-2" } },
  ],

  [
    `tuic://${uuid}:p%3Aw@h.example:443?congestion_control=bbr&udp_relay_mode=native&alpn=h3&sni=s&disable_sni=1&allow_insecure=1#n`,
    {
      ...{ protocol: "tuic", name: "n", transport: "quic", security: "tls", checksCertificate: false },
      settings: {
        uuid,
        password: "p:w",
        congestion_control: "bbr",
        udp_relay_mode: "native",
        alpn: "h3",
        sni: "s",
        disable_sni: "1",
      },
    },
  ],
  [
    `tuic://${uuid}%3Ap@h.example:443`,
    { protocol: "tuic", transport: "quic", security: "tls", settings: { uuid, password: "p" } },
  ],
  [
    "tuic://t%40ken@h.example:443",
    { protocol: "tuic", transport: "quic", security: "tls", settings: { token: "t@ken" } },
  ],

  [
    "wireguard://a+b/c%3D@h.example:443?publickey=d+e/f=&presharedkey=g%3D&reserved=1,2,3&address=10.0.0.2/32,fd00::2/128&mtu=1420#n",
    {
      ...{ ...wg, name: "n", port: 443 },
      settings: {
        ...{ privatekey: "a+b/c=", publickey: "d+e/f=", presharedkey: "g=" },
        ...{ reserved: "1,2,3", address: "10.0.0.2/32,fd00::2/128", mtu: "1420" },
      },
    },
  ],
  ["wg://h.example?privateKey=k&publicKey=p", wg],
  ["wg://k@h.example?privateKey=other&publickey=p", wg],

  [
    "anytls://p@h.example?sni=a&insecure=1#n",
    { ...anytls, name: "n", checksCertificate: false, settings: { password: "p", sni: "a" } },
  ],
  ["anytls://p%40@h.example:8443", { ...anytls, port: 8443, settings: { password: "p@" } }],

  [
    "socks://u:p%40w@h.example#n",
    { protocol: "socks", name: "n", port: 1080, settings: { username: "u", password: "p@w" } },
  ],
  [`socks5://${base64("u:p@w")}@h.example:443`, { protocol: "socks", settings: { username: "u", password: "p@w" } }],
  ["socks://h.example:443", { protocol: "socks" }],
  ["socks://user@h.example:443", { protocol: "socks", settings: { username: "user" } }],

  [
    "naive+https://u:p@h.example#n",
    { protocol: "naive", name: "n", security: "tls", settings: { username: "u", password: "p" } },
  ],
  [
    "naive+quic://u:p@h.example:443?extra-headers=a%3Ab",
    {
      protocol: "naive",
      transport: "quic",
      security: "tls",
      settings: { username: "u", password: "p", "extra-headers": "a:b" },
    },
  ],

  ["ssh://u:p@h.example", { protocol: "ssh", port: 22, settings: { username: "u", password: "p" } }],
  ["ssh://u@h.example:443?privateKey=k", { protocol: "ssh", settings: { username: "u", "private-key": "k" } }],

  [
    "snell://p@h.example:443?version=4&obfs=http&obfs-host=a",
    { protocol: "snell", settings: { psk: "p", version: "4", obfs: "http", "obfs-host": "a" } },
  ],

  [
    "mierus://u:p@h.example?port=443&port=444&protocol=TCP&profile=home",
    {
      protocol: "mieru",
      name: "home",
      settings: { username: "u", password: "p", ports: "443", protocol: "TCP", profile: "home" },
    },
  ],
  [
    "mierus://u:p@h.example?port=443-500&protocol=UDP#n",
    {
      protocol: "mieru",
      name: "n",
      transport: "udp",
      settings: { username: "u", password: "p", ports: "443-500", protocol: "UDP" },
    },
  ],
  ["mieru://u:p@h.example:443", { protocol: "mieru", settings: { username: "u", password: "p" } }],

  [
    `juicity://${uuid}:p@h.example:443?sni=a&allow_insecure=true`,
    {
      protocol: "juicity",
      transport: "quic",
      security: "tls",
      checksCertificate: false,
      settings: { uuid, password: "p", sni: "a" },
    },
  ],
];

describe("parseLink with other links", () => {
  it.each(links)("reads %j", (link, want) => {
    expect(parseLink(link)).toEqual(nodeOf(want));
  });
});
