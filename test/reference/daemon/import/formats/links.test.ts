import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLink } from "../../../../../reference/daemon/import/formats/links.js";
import { protocols } from "../../../../../reference/daemon/import/formats/protocols.js";
import { maxEntryLength } from "../../../../../reference/daemon/import/formats/read-node.js";
import { cleanName } from "../../../../../reference/daemon/import/formats/text.js";
import { propertyRuns, propertySeed } from "../../../../support/property-seed.js";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const vmess = (fields: object) =>
  `vmess://${base64(JSON.stringify({ add: "h.example", port: 443, id: "u", ...fields }))}`;

/** A link, its protocol, server and port, and further fields of its node. */
const links: readonly (readonly [link: string, node: string, more?: object])[] = [
  ["trojan://p%40ss@h.example:443?sni=s#A", "trojan h.example:443 A", { settings: { password: "p@ss", sni: "s" } }],
  ["trojan://p@h.example", "trojan h.example:443", { transport: "tcp", security: "tls" }],
  ["  Trojan://a:b@c@h.example:443/ \r", "trojan h.example:443", { settings: { password: "a:b@c" } }],
  ["trojan://pX3!c9@[2001:db8::15]:443#IPv6%20only", "trojan 2001:db8::15:443 IPv6 only"],
  [
    "trojan://p@h.example?password=x&__proto__=y&sni=&sni=b&sni=c",
    "trojan h.example:443",
    { settings: { password: "p", sni: "b" } },
  ],
  ["trojan://p@h.example#%ZZ%20a#b", "trojan h.example:443 %ZZ a#b"],
  ["trojan://p@h.example#%E2%80%AEname%00", "trojan h.example:443 name"],
  ["trojan://p@h.example?security=none", "trojan h.example:443", { security: "none" }],
  ["trojan://p@h.example?type=WS&path=%2Fws", "trojan h.example:443", { transport: "websocket" }],
  ["trojan://p@h.example?ws=1&wspath=%2Fws", "trojan h.example:443", { transport: "websocket" }],
  ["trojan://p@h.example?type=grpc", "trojan h.example:443", { transport: "grpc" }],
  ["trojan://p@h.example?type=tcp&headerType=http", "trojan h.example:443", { transport: "http" }],
  ["trojan://p@h.example?pbk=k", "trojan h.example:443", { security: "reality" }],
  ["trojan://p@h.example?allowInsecure=0", "trojan h.example:443", { checksCertificate: true }],
  ["trojan://p@h.example?allowInsecure=1", "trojan h.example:443", { checksCertificate: false }],
  ["trojan://p@h.example?skip-cert-verify=TRUE", "trojan h.example:443", { checksCertificate: false }],
  [
    "vless://u@h.example:443?security=reality&type=raw",
    "vless h.example:443",
    { security: "reality", transport: "tcp" },
  ],
  [
    "vless://u@h.example:443?type=httpupgrade&allowInsecure=1",
    "vless h.example:443",
    { security: "none", checksCertificate: true },
  ],
  [
    "vmess://u@h.example:443?type=ws&security=tls#n",
    "vmess h.example:443 n",
    { transport: "websocket", security: "tls" },
  ],
  [vmess({ port: "443", aid: 0, v: 2, ps: "日本" }), "vmess h.example:443 日本", { security: "none" }],
  [`${vmess({ sni: {}, host: null, path: [] })}#fallback`, "vmess h.example:443 fallback"],
  [
    vmess({ add: "2001:db8::1", net: "kcp", tls: "tls" }),
    "vmess 2001:db8::1:443",
    { transport: "kcp", security: "tls" },
  ],
  [
    "ss://Y2hhY2hhMjAtaWV0Zi1wb2x5MTMwNTpzM2NyM3QvKz0@h.example:8388/?plugin=obfs-local%3Bobfs%3Dhttp#%E9%A6%99%E6%B8%AF%2001",
    "shadowsocks h.example:8388 香港 01",
    { settings: { method: "chacha20-ietf-poly1305", password: "s3cr3t/+=", plugin: "obfs-local;obfs=http" } },
  ],
  [
    "ss://YWVzLTI1Ni1nY206cGE6c3NAd29yZEAxOTIuMC4yLjEwOjgzODg=#legacy",
    "shadowsocks 192.0.2.10:8388 legacy",
    { settings: { method: "aes-256-gcm", password: "pa:ss@word" } },
  ],
  ["ss://2022-blake3-aes-128-gcm:MDEy%3D%3D@[2001:db8::5]:8388", "shadowsocks 2001:db8::5:8388"],
  ["ss://aes-256-gcm%3Ap@h.example:8388", "shadowsocks h.example:8388"],
  [`ss://${base64("aes-256-gcm:???>")}@h.example:8388`, "shadowsocks h.example:8388"],
  [
    `ssr://${base64(`h.example:8389:origin:aes-256-cfb:plain:${base64("p@ss")}/?obfsparam=eA&remarks=5pel5pys&group=%%%`)}`,
    "shadowsocksr h.example:8389 日本",
    {
      settings: {
        method: "aes-256-cfb",
        password: "p@ss",
        protocol: "origin",
        obfs: "plain",
        obfsparam: "x",
        remarks: "日本",
        group: "",
      },
    },
  ],
  [`ssr://${base64("2001:db8::5:443:origin:rc4-md5:plain:cHc=")}`, "shadowsocksr 2001:db8::5:443"],
  [
    "hysteria://h.example:443?auth=a&insecure=1",
    "hysteria h.example:443",
    { transport: "quic", checksCertificate: false },
  ],
  ["hysteria2://p@h.example:123,5000-6000/?obfs=salamander&obfs-password=o#n", "hysteria2 h.example:123 n"],
  ["hy2://user:pass@h.example", "hysteria2 h.example:443", { settings: { password: "user:pass" } }],
  ["HY2://h.example?mport=5000-6000", "hysteria2 h.example:5000"],
  ["tuic://u:p%3Aw@h.example:443", "tuic h.example:443", { settings: { uuid: "u", password: "p:w" } }],
  ["tuic://u%3Ap@h.example:443", "tuic h.example:443", { settings: { uuid: "u", password: "p" } }],
  [
    "wireguard://a+b/c%3D@h.example:443?publickey=d+e/f=&address=10.0.0.2/32,fd00::2/128",
    "wireguard h.example:443",
    { settings: { privatekey: "a+b/c=", publickey: "d+e/f=", address: "10.0.0.2/32,fd00::2/128" } },
  ],
  ["wg://h.example?privateKey=k&publicKey=p", "wireguard h.example:51820", { transport: "udp" }],
  ["anytls://p@h.example?insecure=1#n", "anytls h.example:443 n", { checksCertificate: false }],
  ["socks://u:p%40w@h.example", "socks h.example:1080", { settings: { username: "u", password: "p@w" } }],
  [
    `socks5://${base64("u:p@w")}@h.example:443`,
    "socks h.example:443",
    { settings: { username: "u", password: "p@w" } },
  ],
  [
    `socks://${base64("u:p@w@h.example:443")}#n`,
    "socks h.example:443 n",
    { settings: { username: "u", password: "p@w" } },
  ],
  ["socks://localhost", "socks localhost:1080", { settings: {} }],
  ["naive+https://u:p@h.example", "naive h.example:443"],
  ["ssh://u@h.example", "ssh h.example:22"],
  ["snell://p@h.example:443?version=4", "snell h.example:443"],
  ["mierus://u:p@h.example?port=443-500&protocol=UDP", "mieru h.example:443"],
  ["juicity://u:p@h.example:443", "juicity h.example:443"],
];

describe("parseLink", () => {
  it.each(links.map(([link, want, more = {}]) => ({ link, want, more })))("reads $link", ({ link, want, more }) => {
    const entry = parseLink(link);
    if (entry.kind === "rejected") throw new Error(entry.reason);
    const { protocol, server, port, name } = entry.node;
    expect(`${protocol} ${server}:${port} ${name}`.trim()).toBe(want);
    expect(entry.node).toMatchObject(more);
    if ("settings" in more) expect(entry.node.settings).toEqual(more.settings);
  });

  it.each([
    ["", "", "undecodable"],
    ["hello", "", "undecodable"],
    ["1a://h", "", "undecodable"],
    ["my secret://h", "", "undecodable"],
    [`${"a".repeat(31)}://h`, "", "undecodable"],
    ["GOPHER://old.example:70", "gopher", "unknown-scheme"],
    ["hysteria2+realm://t@h.example", "hysteria2+realm", "unknown-scheme"],
    ["constructor://h", "constructor", "unknown-scheme"],
    // A token in place of a scheme.
    ["kJ8mPq4L://h", "", "unknown-scheme"],
    ["e3b0c442://h", "", "unknown-scheme"],
    ["https://sub.example/s/6f1e2a9c", "https", "nested-subscription"],
    ["HTTP://user:pass@h.example:8080", "http", "nested-subscription"],
    [`trojan://${"p".repeat(maxEntryLength)}@h.example:443`, "trojan", "too-long"],
    ["trojan://host:443", "trojan", "missing-password"],
    ["trojan://@host:443", "trojan", "missing-password"],
    ["trojan://p@:443", "trojan", "missing-server"],
    ["trojan://p@a b:443", "trojan", "invalid-server"],
    ["trojan://p@2001:db8::1:443", "trojan", "invalid-server"],
    ["trojan://p@[::1]x:1", "trojan", "invalid-server"],
    ["trojan://p@host:0", "trojan", "invalid-port"],
    ["trojan://p@host:70000", "trojan", "invalid-port"],
    ["trojan://p@host:123:443", "trojan", "invalid-port"],
    ["trojan://p@host:1,2", "trojan", "invalid-port"],
    ["trojan://p@h.example?type=carrier-pigeon", "trojan", "unknown-transport"],
    ["trojan://p@h.example?security=xtls", "trojan", "unknown-security"],
    ["vless://h.example:443", "vless", "missing-user-id"],
    ["vless://u@h.example", "vless", "missing-port"],
    ["vmess://%%%", "vmess", "undecodable"],
    [`vmess://${base64("not JSON")}`, "vmess", "undecodable"],
    [`vmess://${base64("null")}`, "vmess", "undecodable"],
    [vmess({ id: undefined }), "vmess", "missing-user-id"],
    [vmess({ add: {} }), "vmess", "missing-server"],
    [vmess({ port: "" }), "vmess", "missing-port"],
    [vmess({ port: 443.5 }), "vmess", "invalid-port"],
    [vmess({ net: "pigeon" }), "vmess", "unknown-transport"],
    [vmess({ tls: "xtls" }), "vmess", "unknown-security"],
    ["ss://h.example:8388", "ss", "missing-method"],
    [`ss://${base64("nothing here at all")}`, "ss", "undecodable"],
    [`ss://${base64("aes-256-gcm:")}@h.example:8388`, "ss", "missing-password"],
    [`ss://${base64("aes-256-gcm:p@h.example")}`, "ss", "missing-port"],
    ["ssr://", "ssr", "undecodable"],
    [`ssr://${base64("h.example:8389:origin:aes-256-cfb:plain")}`, "ssr", "undecodable"],
    [`ssr://${base64("h.example:8389:origin:aes-256-cfb:plain:%%%")}`, "ssr", "undecodable"],
    [`ssr://${base64("h.example:8389:origin::plain:cHc")}`, "ssr", "missing-method"],
    ["hysteria2://p@h.example:443?obfs=salamander", "hysteria2", "missing-obfuscation-password"],
    ["hy2://p@h.example:2-1", "hy2", "invalid-port"],
    // Half of a password in place of the server.
    ["hy2://pass#word@h.example:443", "hy2", "undecodable"],
    ["socks://user?pass@h.example", "socks", "undecodable"],
    [`socks://${base64("not an address, but a secret")}`, "socks", "undecodable"],
    ["tuic://u:@h.example:443", "tuic", "missing-password"],
    ["wireguard://h.example?publickey=p", "wireguard", "missing-key"],
    ["wireguard://k@h.example", "wireguard", "missing-peer-key"],
    ["mieru://aGVsbG8", "mieru", "missing-user-id"],
  ])("rejects %s", (link, scheme, reason) => {
    expect(parseLink(link)).toEqual({ kind: "rejected", scheme, reason });
  });
});

const text = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }),
  fc.string({ unit: fc.constantFrom(..."@:/?#%&=+;,[]\\|\"'<> ~-_.a1é香🇩🇪"), minLength: 1, maxLength: 20 }),
);
const server = fc.oneof(fc.constantFrom("a_b.example", "例え.jp", "xn--r8jz45g.jp"), fc.ipV4(), fc.ipV6());
const plainProtocols = protocols.filter(({ userinfo }) => userinfo !== undefined);
const anyLink = fc.record({
  protocol: fc.constantFrom(...plainProtocols),
  secrets: fc.tuple(text, text),
  ...{ server, port: fc.integer({ min: 1, max: 65_535 }), name: text, sni: text },
});

it("reads back links of every scheme with any text in any part", () => {
  fc.assert(
    fc.property(anyLink, ({ protocol, secrets, server, port, name, sni }) => {
      const userinfo = (protocol.userinfo ?? []).map((_, index) => encodeURIComponent(secrets[index] ?? ""));
      const host = server.includes(":") ? `[${server}]` : server;
      const query = `publickey=k%3D&sni=${encodeURIComponent(sni)}`;
      const rest = `${userinfo.join(":")}@${host}:${port}?${query}#${encodeURIComponent(name)}`;
      const credentials = Object.fromEntries(
        (protocol.userinfo ?? []).map((setting, index) => [setting, secrets[index]]),
      );
      for (const scheme of protocol.schemes ?? [])
        expect(parseLink(`${scheme}://${rest}`)).toMatchObject({
          kind: "node",
          node: { protocol: protocol.name, server, port, name: cleanName(name), settings: { ...credentials, sni } },
        });
    }),
    { seed: propertySeed, numRuns: propertyRuns(500) },
  );
});
