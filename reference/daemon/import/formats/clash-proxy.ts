import type { Protocol, Security, Transport } from "../proxy-node.js";
import { isOn, transportOf } from "../schemes/link-parameters.js";
import { type Draft, pluginText } from "./draft.js";
import { type Fields, has, listOf, partOf, textOf } from "./fields.js";

type Reader = (proxy: Fields) => Draft;
/** Creates a new object, which callers may extend. */
type Settings = (proxy: Fields) => Record<string, string>;

const credentials: Settings = (proxy) => ({
  username: textOf(proxy, "username"),
  password: textOf(proxy, "password"),
});

const readers: Readonly<Record<string, Reader>> = {
  ss: plain("shadowsocks", "tcp", (proxy) => ({
    method: textOf(proxy, "cipher"),
    password: textOf(proxy, "password"),
    plugin: clashPlugin(textOf(proxy, "plugin"), partOf(proxy, "plugin-opts")),
    "udp-over-tcp": textOf(proxy, "udp-over-tcp"),
  })),
  ssr: plain("shadowsocksr", "tcp", (proxy) => ({
    method: textOf(proxy, "cipher"),
    password: textOf(proxy, "password"),
    protocol: textOf(proxy, "protocol"),
    obfs: textOf(proxy, "obfs"),
    protoparam: textOf(proxy, "protocol-param", "protocolparam"),
    obfsparam: textOf(proxy, "obfs-param", "obfsparam"),
  })),
  socks5: secured("socks", "tcp", optionalTls, credentials),
  http: secured("http", "tcp", optionalTls, credentials),
  vmess: secured("vmess", "network", optionalTls, (proxy) => ({
    uuid: textOf(proxy, "uuid"),
    aid: textOf(proxy, "alterId"),
    encryption: textOf(proxy, "cipher"),
    packetEncoding: textOf(proxy, "packet-encoding"),
  })),
  vless: secured("vless", "network", optionalTls, (proxy) => ({
    uuid: textOf(proxy, "uuid"),
    flow: textOf(proxy, "flow"),
    encryption: textOf(proxy, "encryption"),
    packetEncoding: textOf(proxy, "packet-encoding"),
  })),
  trojan: secured(
    "trojan",
    "network",
    () => "tls",
    (proxy) => ({
      password: textOf(proxy, "password"),
    }),
  ),
  anytls: secured(
    "anytls",
    "tcp",
    () => "tls",
    (proxy) => ({ password: textOf(proxy, "password") }),
  ),
  hysteria: secured(
    "hysteria",
    "quic",
    () => "tls",
    (proxy) => ({
      auth: textOf(proxy, "auth-str", "auth_str") || textOf(proxy, "auth"),
      protocol: textOf(proxy, "protocol"),
      upmbps: textOf(proxy, "up"),
      downmbps: textOf(proxy, "down"),
      obfs: textOf(proxy, "obfs") === "" ? "" : "xplus",
      obfsParam: textOf(proxy, "obfs"),
      ports: portsOf(proxy),
    }),
  ),
  hysteria2: secured(
    "hysteria2",
    "quic",
    () => "tls",
    (proxy) => ({
      password: textOf(proxy, "password", "auth"),
      obfs: textOf(proxy, "obfs"),
      "obfs-password": textOf(proxy, "obfs-password"),
      pinSHA256: textOf(proxy, "fingerprint"),
      up: textOf(proxy, "up"),
      down: textOf(proxy, "down"),
      ports: portsOf(proxy),
    }),
  ),
  tuic: secured(
    "tuic",
    "quic",
    () => "tls",
    (proxy) => ({
      token: textOf(proxy, "token"),
      uuid: textOf(proxy, "uuid"),
      password: textOf(proxy, "password"),
      congestion_control: textOf(proxy, "congestion-controller"),
      udp_relay_mode: textOf(proxy, "udp-relay-mode"),
      reduce_rtt: textOf(proxy, "reduce-rtt"),
      heartbeat: textOf(proxy, "heartbeat-interval"),
      disable_sni: textOf(proxy, "disable-sni"),
    }),
  ),
  wireguard: readWireguard,
  ssh: plain("ssh", "tcp", (proxy) => ({
    ...credentials(proxy),
    "private-key": textOf(proxy, "private-key"),
    "private-key-passphrase": textOf(proxy, "private-key-passphrase"),
    "host-key": listOf(proxy, "host-key"),
    "host-key-algorithms": listOf(proxy, "host-key-algorithms"),
  })),
  snell: plain("snell", "tcp", (proxy) => ({
    psk: textOf(proxy, "psk"),
    version: textOf(proxy, "version"),
    obfs: textOf(partOf(proxy, "obfs-opts"), "mode"),
    "obfs-host": textOf(partOf(proxy, "obfs-opts"), "host"),
  })),
  mieru: plain(
    "mieru",
    (proxy) => (textOf(proxy, "transport").toLowerCase() === "udp" ? "udp" : "tcp"),
    (proxy) => ({
      ...credentials(proxy),
      multiplexing: textOf(proxy, "multiplexing"),
      ports: textOf(proxy, "port-range"),
    }),
  ),
};

/** The readers of the items of `proxies`, by `type`. */
export const proxyTypes = {
  readers: new Map(Object.entries(readers)),
  skippedTypes: new Set(["direct", "dns", "reject"]),
};

function plain(protocol: Protocol, transport: Transport | ((proxy: Fields) => Transport), settings: Settings): Reader {
  return (proxy) => ({
    protocol,
    name: textOf(proxy, "name"),
    server: textOf(proxy, "server"),
    port: textOf(proxy, "port"),
    transport: typeof transport === "string" ? transport : transport(proxy),
    security: "none",
    checksCertificate: true,
    settings: settings(proxy),
  });
}

/** Creates the reader of a type that can use TLS. With the transport `network`, it reads the transport from `network`. */
function secured(
  protocol: Protocol,
  transport: Transport | "network",
  securityOf: (proxy: Fields) => Security,
  settingsOf: Settings,
): Reader {
  return (proxy) => {
    const reality = partOf(proxy, "reality-opts");
    const publicKey = textOf(reality, "public-key");
    const plain = securityOf(proxy);
    const security = plain === "tls" && publicKey !== "" ? "reality" : plain;
    // Spreading would dominate the time to read a node.
    const settings = settingsOf(proxy);
    settings.sni = textOf(proxy, "sni", "servername");
    settings.alpn = listOf(proxy, "alpn");
    settings.fp = textOf(proxy, "client-fingerprint");
    settings.pbk = publicKey;
    settings.sid = textOf(reality, "short-id");
    if (transport === "network") addNetworkSettings(settings, proxy);
    return {
      protocol,
      name: textOf(proxy, "name"),
      server: textOf(proxy, "server"),
      port: textOf(proxy, "port"),
      transport: transport === "network" ? networkOf(proxy) : transport,
      security,
      checksCertificate: security === "none" || !isOn(textOf(proxy, "skip-cert-verify")),
      settings,
    };
  };
}

function optionalTls(proxy: Fields): Security {
  return isOn(textOf(proxy, "tls")) ? "tls" : "none";
}

function networkOf(proxy: Fields): Transport | undefined {
  const transport = transportOf(textOf(proxy, "network"), "");
  const upgrades = transport === "websocket" && isOn(textOf(partOf(proxy, "ws-opts"), "v2ray-http-upgrade"));
  return upgrades ? "httpupgrade" : transport;
}

/** Each network has its own options. Older versions had those of WebSocket directly in the proxy. */
function addNetworkSettings(settings: Record<string, string>, proxy: Fields): void {
  const member = networkOptions.get(textOf(proxy, "network").toLowerCase());
  if (member === undefined) return;
  const options = partOf(proxy, member);
  const headers = has(options, "headers") ? partOf(options, "headers") : partOf(proxy, "ws-headers");
  settings.host = listOf(options, "host") || listOf(headers, "Host", "host");
  settings.path = listOf(options, "path") || textOf(proxy, "ws-path");
  settings.serviceName = textOf(options, "grpc-service-name");
  settings.mode = textOf(options, "mode");
}

const networkOptions: ReadonlyMap<string, string> = new Map(
  ["ws", "http", "h2", "grpc", "xhttp"].map((network) => [network, `${network}-opts`]),
);

/** Ports may also be separated by slashes. */
function portsOf(proxy: Fields): string {
  return textOf(proxy, "ports", "mport").replaceAll("/", ",");
}

/** The server is in the proxy itself, or in its first peer. */
function readWireguard(proxy: Fields): Draft {
  const peer = partOf(proxy, "peers");
  const either = (name: string, otherName?: string) => listOf(peer, name, otherName) || listOf(proxy, name, otherName);
  return {
    protocol: "wireguard",
    name: textOf(proxy, "name"),
    server: either("server"),
    port: either("port"),
    transport: "udp",
    security: "none",
    checksCertificate: true,
    settings: {
      privatekey: textOf(proxy, "private-key"),
      publickey: either("public-key"),
      presharedkey: either("pre-shared-key", "preshared-key"),
      reserved: either("reserved"),
      allowedips: either("allowed-ips"),
      address: [textOf(proxy, "ip"), textOf(proxy, "ipv6")].filter(Boolean).join(","),
      keepalive: textOf(proxy, "persistent-keepalive"),
      mtu: textOf(proxy, "mtu"),
      dns: listOf(proxy, "dns"),
    },
  };
}

/** Converts a Shadowsocks plugin and its options, which Clash writes as members, to the form of share links. */
function clashPlugin(plugin: string, options: Fields): string {
  const renamed = plugin === "obfs" ? obfsNames : defaultNames;
  const written: string[] = [];
  for (const name of Object.keys(options)) {
    const value = textOf(options, name);
    if (value === "" || value === "false") continue;
    const option = renamed.get(name) ?? name;
    written.push(value === "true" ? escaped(option) : `${escaped(option)}=${escaped(value)}`);
  }
  return pluginText(plugin, written.join(";"));
}

const defaultNames: ReadonlyMap<string, string> = new Map();
const obfsNames: ReadonlyMap<string, string> = new Map([
  ["mode", "obfs"],
  ["host", "obfs-host"],
]);

/** See https://shadowsocks.org/doc/sip003.html. */
function escaped(text: string): string {
  return text.replace(/[\\:;=]/g, "\\$&");
}
