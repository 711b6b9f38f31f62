import { expect, it } from "vitest";
import { readAll } from "./read-all.js";

function settingsOf(text: string): unknown {
  const content = readAll(text);
  expect(content?.rejected).toEqual([]);
  return content?.nodes.map(({ node }) => node.settings);
}

const at = "server: a.example, port: 443";

it.each([
  [
    "type: ss, cipher: c, password: p, plugin: obfs, plugin-opts: {mode: tls, host: b.example}",
    { method: "c", password: "p", plugin: "obfs-local;obfs=tls;obfs-host=b.example" },
  ],
  [
    "type: ss, cipher: c, password: p, plugin: v2ray-plugin, plugin-opts: {mode: websocket, tls: true, mux: false, path: /a;b}",
    { method: "c", password: "p", plugin: "v2ray-plugin;mode=websocket;tls;path=/a\\;b" },
  ],
  [
    "type: ssr, cipher: c, password: p, protocol: origin, obfs: plain, protocol-param: 1, obfs-param: 2",
    { method: "c", password: "p", protocol: "origin", obfs: "plain", protoparam: "1", obfsparam: "2" },
  ],
  [
    "type: trojan, password: 08, sni: s, alpn: [h2, http/1.1], client-fingerprint: chrome",
    { password: "08", sni: "s", alpn: "h2,http/1.1", fp: "chrome" },
  ],
  [
    "type: vless, uuid: u, flow: f, tls: true, servername: s, reality-opts: {public-key: k, short-id: 08}",
    { uuid: "u", flow: "f", sni: "s", pbk: "k", sid: "08" },
  ],
  [
    "type: vmess, uuid: u, alterId: 0, cipher: auto, network: ws, ws-opts: {path: /p, headers: {Host: h}}",
    { uuid: "u", aid: "0", encryption: "auto", host: "h", path: "/p" },
  ],
  ["type: vmess, uuid: u, network: ws, ws-path: /p, ws-headers: {Host: h}", { uuid: "u", host: "h", path: "/p" }],
  ["type: vmess, uuid: u, network: h2, h2-opts: {host: [a, b], path: /}", { uuid: "u", host: "a,b", path: "/" }],
  ["type: trojan, password: p, network: grpc, grpc-opts: {grpc-service-name: s}", { password: "p", serviceName: "s" }],
  [
    "type: hysteria, auth-str: a, obfs: o, up: 30 Mbps, down: 100",
    { auth: "a", obfs: "xplus", obfsParam: "o", upmbps: "30 Mbps", downmbps: "100" },
  ],
  [
    "type: hysteria2, password: p, ports: 1-2/5, obfs: salamander, obfs-password: o",
    { password: "p", ports: "1-2,5", obfs: "salamander", "obfs-password": "o" },
  ],
  ["type: tuic, token: t", { token: "t" }],
  [
    "type: tuic, uuid: u, password: p, congestion-controller: bbr, udp-relay-mode: native",
    { uuid: "u", password: "p", congestion_control: "bbr", udp_relay_mode: "native" },
  ],
  [
    "type: wireguard, private-key: k, public-key: q, ip: 10.0.0.2, ipv6: fd00__2, reserved: [1, 2, 3], mtu: 1280",
    { privatekey: "k", publickey: "q", address: "10.0.0.2,fd00__2", reserved: "1,2,3", mtu: "1280" },
  ],
  [
    "type: snell, psk: k, version: 4, obfs-opts: {mode: http, host: h}",
    { psk: "k", version: "4", obfs: "http", "obfs-host": "h" },
  ],
  [
    "type: ssh, username: u, private-key: k, host-key: [a, b]",
    { username: "u", "private-key": "k", "host-key": "a,b" },
  ],
])("reads the settings of Clash {%s}", (fields, settings) => {
  expect(settingsOf(`proxies:\n  - {name: a, ${at}, ${fields}}\n`)).toEqual([settings]);
});

it.each<[Record<string, unknown>, unknown]>([
  [
    {
      type: "shadowsocks",
      method: "m",
      password: "p",
      plugin: "obfs-local",
      plugin_opts: "obfs=http",
      udp_over_tcp: { enabled: true },
    },
    { method: "m", password: "p", plugin: "obfs-local;obfs=http", "udp-over-tcp": "true" },
  ],
  [
    {
      type: "vmess",
      uuid: "u",
      security: "auto",
      alter_id: 0,
      transport: { type: "ws", path: "/", headers: { Host: ["a", "b"] } },
    },
    { uuid: "u", encryption: "auto", aid: "0", path: "/", host: "a,b" },
  ],
  [
    {
      type: "vless",
      uuid: "u",
      tls: {
        enabled: true,
        server_name: "s",
        utls: { fingerprint: "f" },
        reality: { enabled: true, public_key: "k", short_id: "08" },
      },
    },
    { uuid: "u", sni: "s", fp: "f", pbk: "k", sid: "08" },
  ],
  [
    { type: "trojan", password: 5, tls: { enabled: true, alpn: "h2" }, transport: { type: "grpc", service_name: "g" } },
    { password: "5", alpn: "h2", serviceName: "g" },
  ],
  [
    {
      type: "hysteria2",
      password: "p",
      server_ports: ["1:2", "5"],
      obfs: { type: "salamander", password: "o" },
      up_mbps: 5,
    },
    { password: "p", ports: "1-2,5", obfs: "salamander", "obfs-password": "o", up: "5" },
  ],
  [
    { type: "tuic", uuid: "u", password: "p", zero_rtt_handshake: true, heartbeat: "10s" },
    { uuid: "u", password: "p", reduce_rtt: "true", heartbeat: "10s" },
  ],
  [
    {
      type: "wireguard",
      private_key: "k",
      address: ["10.0.0.2/32"],
      peers: [{ address: "b.example", port: 1, public_key: "q", reserved: [1, 2, 3] }],
    },
    { privatekey: "k", publickey: "q", address: "10.0.0.2/32", reserved: "1,2,3" },
  ],
  [
    { type: "wireguard", private_key: "k", local_address: "10.0.0.2/32", peer_public_key: "q" },
    { privatekey: "k", publickey: "q", address: "10.0.0.2/32" },
  ],
  [
    { type: "ssh", private_key: ["a", "b"] },
    { username: "root", "private-key": "a,b" },
  ],
])("reads the settings of sing-box %j", (fields, settings) => {
  expect(
    settingsOf(JSON.stringify({ outbounds: [{ tag: "a", server: "a.example", server_port: 443, ...fields }] })),
  ).toEqual([settings]);
});

it("reads the settings of SIP008", () => {
  const server = {
    server: "a.example",
    server_port: 443,
    method: "m",
    password: "p",
    plugin: "simple-obfs",
    plugin_opts: "obfs=tls",
  };
  expect(settingsOf(JSON.stringify([server]))).toEqual([{ method: "m", password: "p", plugin: "obfs-local;obfs=tls" }]);
});
