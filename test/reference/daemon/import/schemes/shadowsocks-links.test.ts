import { describe, expect, it } from "vitest";
import { parseLink } from "../../../../../reference/daemon/import/schemes/parse-link.js";
import { nodeOf, type Row } from "./node-of.js";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const base64url = (text: string) => Buffer.from(text).toString("base64url");
const ss = { protocol: "shadowsocks", port: 8388, settings: { method: "aes-256-gcm", password: "p" } } as const;

const links: readonly Row[] = [
  [
    "ss://Y2hhY2hhMjAtaWV0Zi1wb2x5MTMwNTpzM2NyM3QvKz0@ss.example.net:8388/?plugin=obfs-local%3Bobfs%3Dhttp%3Bobfs-host%3Dwww.example.com#%E9%A6%99%E6%B8%AF%2001",
    {
      ...ss,
      name: "香港 01",
      server: "ss.example.net",
      settings: {
        method: "chacha20-ietf-poly1305",
        password: "s3cr3t/+=",
        plugin: "obfs-local;obfs=http;obfs-host=www.example.com",
      },
    },
  ],
  [
    "ss://YWVzLTI1Ni1nY206cGE6c3NAd29yZEAxOTIuMC4yLjEwOjgzODg=#legacy",
    { ...ss, name: "legacy", server: "192.0.2.10", settings: { method: "aes-256-gcm", password: "pa:ss@word" } },
  ],
  [
    "ss://2022-blake3-aes-128-gcm:MDEyMzQ1Njc4OWFiY2RlZg%3D%3D@[2001:db8::5]:8388#aead2022",
    {
      ...ss,
      name: "aead2022",
      server: "2001:db8::5",
      settings: { method: "2022-blake3-aes-128-gcm", password: "MDEyMzQ1Njc4OWFiY2RlZg==" },
    },
  ],
  ["ss://aes-256-gcm%3Ap@h.example:8388", ss],
  [
    `ss://${base64("aes-256-gcm:p?>~").replaceAll("=", "%3D")}@h.example:8388`,
    { ...ss, settings: { method: "aes-256-gcm", password: "p?>~" } },
  ],
  [
    `ss://${base64("aes-256-gcm:???>")}@h.example:8388`,
    { ...ss, settings: { method: "aes-256-gcm", password: "???>" } },
  ],
  [`ss://${base64("aes-256-gcm:p@[2001:db8::5]:8388")}/#n`, { ...ss, name: "n", server: "2001:db8::5" }],
  [
    "ss://aes-256-gcm:p@h.example:8388?plugin=simple-obfs%3Bobfs%3Dtls",
    { ...ss, settings: { ...ss.settings, plugin: "obfs-local;obfs=tls" } },
  ],
  [
    "ss://aes-256-gcm:p@h.example:8388?type=ws&security=tls&sni=a",
    { ...ss, transport: "websocket", security: "tls", settings: { ...ss.settings, sni: "a" } },
  ],

  [
    "ssr://c3NyLmV4YW1wbGUubmV0OjgzODk6YXV0aF9hZXMxMjhfbWQ1OmFlcy0yNTYtY2ZiOnRsczEuMl90aWNrZXRfYXV0aDpjRUJ6Y3cvP29iZnNwYXJhbT1ZMlJ1TG1WNFlXMXdiR1V1Ym1WMCZwcm90b3BhcmFtPU1UcGhZbU0mcmVtYXJrcz01cGVsNXB5cyZncm91cD1adw",
    {
      protocol: "shadowsocksr",
      name: "日本",
      server: "ssr.example.net",
      port: 8389,
      settings: {
        ...{ method: "aes-256-cfb", password: "p@ss", protocol: "auth_aes128_md5", obfs: "tls1.2_ticket_auth" },
        ...{ obfsparam: "cdn.example.net", protoparam: "1:abc", group: "g" },
      },
    },
  ],
  [
    `ssr://${base64url("2001:db8::5:443:origin:rc4-md5:plain:cHc=")}`,
    {
      protocol: "shadowsocksr",
      server: "2001:db8::5",
      settings: { method: "rc4-md5", password: "pw", protocol: "origin", obfs: "plain" },
    },
  ],
  [
    `ssr://${base64url("h.example:443:origin:rc4-md5:plain:cHc/?remarks=%%%&group=&obfsparam=????")}`,
    { protocol: "shadowsocksr", settings: { method: "rc4-md5", password: "pw", protocol: "origin", obfs: "plain" } },
  ],
];

describe("parseLink with ss and ssr links", () => {
  it.each(links)("reads %j", (link, want) => {
    expect(parseLink(link)).toEqual(nodeOf(want));
  });
});
