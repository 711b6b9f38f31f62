import { describe, expect, it } from "vitest";
import { rejectionReasons } from "../../../../../reference/daemon/import/entry.js";
import { maxEntryLength, parseLink, schemes } from "../../../../../reference/daemon/import/schemes/parse-link.js";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const vmess = (fields: object) => `vmess://${base64(JSON.stringify(fields))}`;
const whole = { add: "h.example", port: 443, id: "u" };

describe("parseLink", () => {
  it.each([
    ["Trojan://p@h.example:443#A", "trojan", "A"],
    ["HY2://p@h.example", "hysteria2", ""],
    ["  trojan://p@h.example:443#A \r", "trojan", "A"],
    ["wg://k@h.example?publickey=p", "wireguard", ""],
    ["trojan://p@h.example:443#%ZZ%20%E9", "trojan", "%ZZ %E9"],
    ["trojan://p@h.example:443#a#b", "trojan", "a#b"],
    ["trojan://p@h.example:443#%E2%80%AEname%00", "trojan", "name"],
  ])("accepts %j", (given, protocol, name) => {
    expect(parseLink(given)).toMatchObject({ kind: "node", node: { protocol, name } });
  });

  it.each([
    ["", "", "undecodable"],
    ["hello", "", "undecodable"],
    ["://h", "", "undecodable"],
    ["1a://h", "", "undecodable"],
    ["my secret://h", "", "undecodable"],
    ["soc\u212as5://h", "", "undecodable"],
    [`${"a".repeat(31)}://h`, "", "undecodable"],
    [`${"a".repeat(30)}://h`, "a".repeat(30), "unknown-scheme"],
    ["GOPHER://old.example:70", "gopher", "unknown-scheme"],
    // A token in place of a scheme.
    ["kJ8mPq4L://h", "", "unknown-scheme"],
    ["e3b0c442://h", "", "unknown-scheme"],
    ["hysteria2+realm://t@h.example", "hysteria2+realm", "unknown-scheme"],
    ["constructor://h", "constructor", "unknown-scheme"],
    ["__proto__://h", "", "undecodable"],
    ["https://sub.example/s/6f1e2a9c", "https", "nested-subscription"],
    ["HTTP://user:pass@h.example:8080", "http", "nested-subscription"],
    [`trojan://${"p".repeat(maxEntryLength)}@h.example:443`, "trojan", "too-long"],
    ["x".repeat(maxEntryLength + 1), "", "too-long"],

    ["trojan://host:443", "trojan", "missing-password"],
    ["trojan://@host:443", "trojan", "missing-password"],
    ["trojan://p@:443", "trojan", "missing-server"],
    ["trojan://p@host:0", "trojan", "invalid-port"],
    ["trojan://p@host:70000", "trojan", "invalid-port"],
    ["trojan://p@host:abc", "trojan", "invalid-port"],
    ["trojan://p@host:123:443", "trojan", "invalid-port"],
    ["trojan://p@2001:db8::1:443", "trojan", "invalid-server"],
    ["trojan://p@fe80::1", "trojan", "invalid-port"],
    ["trojan://p@a b:443", "trojan", "invalid-server"],
    ["trojan://p@h.example?type=carrier-pigeon", "trojan", "unknown-transport"],
    ["trojan://p@h.example?security=xtls", "trojan", "unknown-security"],
    ["vless://h.example:443", "vless", "missing-user-id"],
    ["vless://u@h.example", "vless", "missing-port"],
    ["vless://u@h.example:", "vless", "missing-port"],
    ["vmess://", "vmess", "undecodable"],
    ["vmess://%%%", "vmess", "undecodable"],
    [`vmess://${base64("not JSON")}`, "vmess", "undecodable"],
    [`vmess://${base64("[]")}`, "vmess", "undecodable"],
    [`vmess://${base64("null")}`, "vmess", "undecodable"],
    [`vmess://${base64('"text"')}`, "vmess", "undecodable"],
    [vmess({ ...whole, id: undefined }), "vmess", "missing-user-id"],
    [vmess({ ...whole, add: {} }), "vmess", "missing-server"],
    [vmess({ ...whole, add: "a b" }), "vmess", "invalid-server"],
    [vmess({ ...whole, port: "" }), "vmess", "missing-port"],
    [vmess({ ...whole, port: 443.5 }), "vmess", "invalid-port"],
    [vmess({ ...whole, port: [443] }), "vmess", "missing-port"],
    [vmess({ ...whole, net: "pigeon" }), "vmess", "unknown-transport"],
    [vmess({ ...whole, tls: "xtls" }), "vmess", "unknown-security"],
    ["vmess://@h.example:443", "vmess", "missing-user-id"],
    ["vmess://u@h.example", "vmess", "missing-port"],
    ["ss://", "ss", "undecodable"],
    ["ss://h.example:8388", "ss", "undecodable"],
    ["ss://@h.example:8388", "ss", "missing-method"],
    ["ss://password@h.example:8388", "ss", "missing-method"],
    ["ss://:password@h.example:8388", "ss", "missing-method"],
    [`ss://${base64("password")}@h.example:8388`, "ss", "missing-method"],
    ["ss://aes-256-gcm:@h.example:8388", "ss", "missing-password"],
    [`ss://${base64("h.example:8388")}`, "ss", "missing-method"],
    [`ss://${base64("aes-256-gcm:p@h.example")}`, "ss", "missing-port"],
    ["ssr://", "ssr", "undecodable"],
    [`ssr://${base64("h.example:8389:origin:aes-256-cfb:plain")}`, "ssr", "undecodable"],
    [`ssr://${base64("h.example:8389:origin:aes-256-cfb:plain:")}`, "ssr", "missing-password"],
    [`ssr://${base64("h.example:8389:origin:aes-256-cfb:plain:%%%")}`, "ssr", "undecodable"],
    [`ssr://${base64("h.example:8389:origin::plain:cHc")}`, "ssr", "missing-method"],
    [`ssr://${base64(":8389:origin:aes-256-cfb:plain:cHc")}`, "ssr", "missing-server"],
    [`ssr://${base64("h.example:x:origin:aes-256-cfb:plain:cHc")}`, "ssr", "invalid-port"],
    ["hysteria://h.example?auth=a", "hysteria", "missing-port"],
    ["hysteria://h.example:1?obfs=xplus", "hysteria", "missing-obfuscation-password"],
    ["hysteria2://p@h.example:443?obfs=salamander", "hysteria2", "missing-obfuscation-password"],
    ["hy2://p@h.example:1,70000", "hy2", "invalid-port"],
    ["hy2://p@h.example:2-1", "hy2", "invalid-port"],
    ["hy2://p@h.example:443?mport=x", "hy2", "invalid-port"],
    ["hy2://p@?mport=x", "hy2", "missing-server"],
    ["hy2://p@a b?mport=x", "hy2", "invalid-server"],
    ["tuic://h.example:443", "tuic", "missing-user-id"],
    ["tuic://u:@h.example:443", "tuic", "missing-password"],
    ["tuic://u:p@h.example", "tuic", "missing-port"],
    ["wireguard://h.example?publickey=p", "wireguard", "missing-key"],
    ["wireguard://k@h.example", "wireguard", "missing-peer-key"],
    ["anytls://h.example", "anytls", "missing-password"],
    ["socks://u:p@", "socks", "missing-server"],
    ["naive+https://u:p@h.example:0", "naive+https", "invalid-port"],
    ["ssh://h.example", "ssh", "missing-user-id"],
    ["snell://h.example:1", "snell", "missing-password"],
    ["snell://p@h.example", "snell", "missing-port"],
    ["mieru://aGVsbG8", "mieru", "undecodable"],
    ["mierus://u@h.example?port=1", "mierus", "missing-password"],
    ["mierus://:p@h.example?port=1", "mierus", "missing-user-id"],
    ["mierus://u:p@h.example", "mierus", "missing-port"],
    ["mierus://u:p@h.example?port=0", "mierus", "invalid-port"],
    ["juicity://u@h.example:1", "juicity", "missing-password"],
    ["juicity://h.example:1", "juicity", "missing-user-id"],
  ])("rejects %j", (given, scheme, reason) => {
    expect(parseLink(given)).toEqual({ kind: "rejected", scheme, reason });
    expect(rejectionReasons).toHaveProperty(reason);
  });

  it("reads an entry of the maximum length", () => {
    const start = "trojan://p@h.example:443#";
    const name = "n".repeat(maxEntryLength - start.length);
    expect(parseLink(start + name)).toMatchObject({ kind: "node", node: { name: "n".repeat(256) } });
  });
});

describe("schemes", () => {
  it("lists each scheme once, in lower case", () => {
    const names = schemes.flatMap((scheme) => scheme.names);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9+.-]{0,29}$/);
  });
});
