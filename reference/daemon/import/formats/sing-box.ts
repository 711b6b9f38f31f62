import type { Entry } from "../entry.js";
import type { Protocol, Security, Transport } from "../proxy-node.js";
import { isOn, transportOf } from "../schemes/link-parameters.js";
import { type Draft, pluginText, readObjects, readTyped } from "./draft.js";
import { type Fields, has, isFields, listOf, partOf, textOf } from "./fields.js";

/**
 * Reads the configuration of sing-box (https://sing-box.sagernet.org/configuration/): a JSON object with `outbounds`,
 * and `endpoints` for WireGuard. Undefined for any other document. Xray also has `outbounds`, but theirs have no
 * `type`.
 */
export function readSingBox(document: unknown): Iterable<Entry> | undefined {
  if (!isFields(document)) return undefined;
  const lists = Object.keys(document).filter((name) => name === "outbounds" || name === "endpoints");
  const outbounds = lists
    .map((name) => document[name])
    .filter((list) => Array.isArray(list))
    .flat(1);
  const isSingBox = outbounds.some((outbound) => isFields(outbound) && typeof outbound.type === "string");
  return isSingBox ? readObjects(outbounds, (outbound) => readTyped(outbound, types)) : undefined;
}

type Reader = (outbound: Fields) => Draft;

const credentials = (outbound: Fields) => ({
  username: textOf(outbound, "username"),
  password: textOf(outbound, "password"),
});

const password = (outbound: Fields) => ({ password: textOf(outbound, "password") });

const readers: Readonly<Record<string, Reader>> = {
  socks: withoutTls("socks", "tcp", credentials),
  http: withTls("http", "tcp", "none", credentials),
  shadowsocks: withoutTls("shadowsocks", "tcp", (outbound) => ({
    method: textOf(outbound, "method"),
    password: textOf(outbound, "password"),
    plugin: pluginText(textOf(outbound, "plugin"), textOf(outbound, "plugin_opts")),
    "udp-over-tcp": udpOverTcp(outbound),
  })),
  vmess: withTls("vmess", "transport", "none", (outbound) => ({
    uuid: textOf(outbound, "uuid"),
    aid: textOf(outbound, "alter_id"),
    encryption: textOf(outbound, "security"),
    packetEncoding: textOf(outbound, "packet_encoding"),
  })),
  vless: withTls("vless", "transport", "none", (outbound) => ({
    uuid: textOf(outbound, "uuid"),
    flow: textOf(outbound, "flow"),
    packetEncoding: textOf(outbound, "packet_encoding"),
  })),
  trojan: withTls("trojan", "transport", "none", (outbound) => ({
    password: textOf(outbound, "password"),
  })),
  hysteria: withTls("hysteria", "quic", "tls", (outbound) => ({
    auth: textOf(outbound, "auth_str", "auth"),
    upmbps: textOf(outbound, "up_mbps", "up"),
    downmbps: textOf(outbound, "down_mbps", "down"),
    obfs: textOf(outbound, "obfs") === "" ? "" : "xplus",
    obfsParam: textOf(outbound, "obfs"),
    ports: portsOf(outbound),
  })),
  hysteria2: withTls("hysteria2", "quic", "tls", (outbound) => ({
    password: textOf(outbound, "password"),
    obfs: textOf(partOf(outbound, "obfs"), "type"),
    "obfs-password": textOf(partOf(outbound, "obfs"), "password"),
    up: textOf(outbound, "up_mbps"),
    down: textOf(outbound, "down_mbps"),
    ports: portsOf(outbound),
  })),
  tuic: withTls("tuic", "quic", "tls", (outbound) => ({
    uuid: textOf(outbound, "uuid"),
    password: textOf(outbound, "password"),
    congestion_control: textOf(outbound, "congestion_control"),
    udp_relay_mode: textOf(outbound, "udp_relay_mode"),
    reduce_rtt: textOf(outbound, "zero_rtt_handshake"),
    heartbeat: textOf(outbound, "heartbeat"),
    disable_sni: textOf(partOf(outbound, "tls"), "disable_sni"),
  })),
  anytls: withTls("anytls", "tcp", "tls", password),
  shadowtls: withTls("shadowtls", "tcp", "tls", (outbound) => ({
    version: textOf(outbound, "version"),
    password: textOf(outbound, "password"),
  })),
  naive: withTls("naive", naiveTransport, "tls", credentials),
  ssh: withoutTls("ssh", "tcp", (outbound) => ({
    username: textOf(outbound, "user") || "root",
    password: textOf(outbound, "password"),
    "private-key": listOf(outbound, "private_key"),
    "private-key-passphrase": textOf(outbound, "private_key_passphrase"),
    "host-key": listOf(outbound, "host_key"),
    "host-key-algorithms": listOf(outbound, "host_key_algorithms"),
  })),
  wireguard: readWireguard,
};

/** sing-box runs Tor itself, so it has no server. */
const types = {
  readers: new Map(Object.entries(readers)),
  skippedTypes: new Set(["direct", "block", "dns", "selector", "urltest", "tor"]),
};

/** Creates a new object, which callers may extend. */
type Settings = (outbound: Fields) => Record<string, string>;

function withoutTls(protocol: Protocol, transport: Transport, settings: Settings): Reader {
  return (outbound) => ({
    protocol,
    name: textOf(outbound, "tag"),
    server: textOf(outbound, "server"),
    port: textOf(outbound, "server_port"),
    transport,
    security: "none",
    checksCertificate: true,
    settings: settings(outbound),
  });
}

/**
 * Creates the reader of a type that can use TLS. `defaultSecurity` is the security of an outbound without `tls`. With the
 * transport `transport`, it reads the transport from `transport`.
 */
function withTls(
  protocol: Protocol,
  transport: Transport | "transport" | ((outbound: Fields) => Transport),
  defaultSecurity: Security,
  settingsOf: Settings,
): Reader {
  return (outbound) => {
    const tls = partOf(outbound, "tls");
    const reality = partOf(tls, "reality");
    const isEnabled = defaultSecurity === "tls" || isOn(textOf(tls, "enabled"));
    const isReality = isEnabled && isOn(textOf(reality, "enabled"));
    // Spreading would dominate the time to read a node.
    const settings = settingsOf(outbound);
    settings.sni = textOf(tls, "server_name");
    settings.alpn = listOf(tls, "alpn");
    settings.fp = textOf(partOf(tls, "utls"), "fingerprint");
    settings.pbk = isReality ? textOf(reality, "public_key") : "";
    settings.sid = isReality ? textOf(reality, "short_id") : "";
    if (transport === "transport") addTransportSettings(settings, outbound);
    return {
      protocol,
      name: textOf(outbound, "tag"),
      server: textOf(outbound, "server"),
      port: textOf(outbound, "server_port"),
      transport:
        transport === "transport"
          ? transportIn(outbound)
          : typeof transport === "string"
            ? transport
            : transport(outbound),
      security: isReality ? "reality" : isEnabled ? "tls" : "none",
      checksCertificate: !(isEnabled && isOn(textOf(tls, "insecure"))),
      settings,
    };
  };
}

function transportIn(outbound: Fields): Transport | undefined {
  return transportOf(textOf(partOf(outbound, "transport"), "type"), "");
}

function naiveTransport(outbound: Fields): Transport {
  return isOn(textOf(outbound, "quic")) ? "quic" : "tcp";
}

function addTransportSettings(settings: Record<string, string>, outbound: Fields): void {
  const transport = partOf(outbound, "transport");
  settings.host = listOf(transport, "host") || listOf(partOf(transport, "headers"), "Host", "host");
  settings.path = textOf(transport, "path");
  settings.serviceName = textOf(transport, "service_name");
}

/** `udp_over_tcp` is a boolean, or an object that contains one. */
function udpOverTcp(outbound: Fields): string {
  const name = "udp_over_tcp";
  return textOf(outbound, name) || textOf(partOf(outbound, name), "enabled");
}

/** sing-box writes ranges as `5000:6000`, share links as `5000-6000`. */
function portsOf(outbound: Fields): string {
  return listOf(outbound, "server_ports").replaceAll(":", "-");
}

/**
 * WireGuard is an endpoint with peers, or in older configurations an outbound with a server. The first peer is used as
 * the server.
 */
function readWireguard(fields: Fields): Draft {
  const peer = has(fields, "peers") ? partOf(fields, "peers") : fields;
  return {
    protocol: "wireguard",
    name: textOf(fields, "tag"),
    server: textOf(peer, "address", "server") || textOf(fields, "server"),
    port: textOf(peer, "port", "server_port") || textOf(fields, "server_port"),
    transport: "udp",
    security: "none",
    checksCertificate: true,
    settings: {
      privatekey: textOf(fields, "private_key"),
      publickey: textOf(peer, "public_key", "peer_public_key"),
      presharedkey: textOf(peer, "pre_shared_key"),
      reserved: listOf(peer, "reserved"),
      allowedips: listOf(peer, "allowed_ips"),
      keepalive: textOf(peer, "persistent_keepalive_interval"),
      address: listOf(fields, "address", "local_address"),
      mtu: textOf(fields, "mtu"),
    },
  };
}
