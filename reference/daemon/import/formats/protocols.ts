import type { RejectionReason } from "../entry.js";
import type { Security, Transport } from "../proxy-node.js";

/** A proxy protocol, and how share links and objects of Clash, sing-box and SIP008 spell it. */
export interface Protocol {
  /** As in `ProxySubscriptionNodePreview.protocol`. */
  readonly name: string;
  /** The schemes of its share links, `scheme://userinfo@host:port?settings#name`. */
  readonly schemes?: readonly string[];
  /** The `type` of its objects. */
  readonly types?: readonly string[];
  /** The settings in the userinfo of a link: one is all of it, two are separated by its first colon. */
  readonly userinfo?: readonly string[];
  /** Whether a link may have its userinfo, or everything before its name, in base64. */
  readonly isBase64?: true;
  readonly defaultPort?: number;
  /** Whether there may be several ports and ranges of ports. */
  readonly hasPortRanges?: true;
  /** Defaults to TCP. */
  readonly transport?: Transport;
  /** Defaults to none. */
  readonly security?: Security;
  /** Whether each entry chooses its transport and security. */
  readonly isWrapped?: true;
  readonly required?: readonly Requirement[];
}

/** An entry without any of the settings is rejected for the reason. */
export interface Requirement {
  readonly reason: RejectionReason;
  readonly settings: readonly string[];
  /** The requirement applies only to entries with one of these settings. */
  readonly onlyWith?: readonly string[];
}

const password: Requirement = { reason: "missing-password", settings: ["password", "token"] };
const userId: Requirement = { reason: "missing-user-id", settings: ["uuid", "id", "token"] };
const method: Requirement = { reason: "missing-method", settings: ["method", "cipher"] };
const user: Requirement = { reason: "missing-user-id", settings: ["username"] };
const psk: Requirement = { reason: "missing-password", settings: ["psk"] };
const privateKey: Requirement = {
  reason: "missing-key",
  settings: ["privatekey", "privateKey", "secretKey", "private-key", "private_key"],
};
const peerKey: Requirement = {
  reason: "missing-peer-key",
  settings: [
    ...["publickey", "publicKey", "public-key", "peer_public_key"],
    ...["peers.public-key", "peers.public_key"],
  ],
};
const obfuscation: Requirement = {
  reason: "missing-obfuscation-password",
  settings: ["obfs-password", "obfs.password"],
  onlyWith: ["obfs", "obfs.type"],
};

const quic = { transport: "quic", security: "tls" } as const;
const ranged = { ...quic, hasPortRanges: true } as const;
const login = ["username", "password"];
const account = ["uuid", "password"];

/** Every known protocol. A new one is a row. */
export const protocols: readonly Protocol[] = [
  {
    ...{ name: "trojan", schemes: ["trojan"], types: ["trojan"], userinfo: ["password"], defaultPort: 443 },
    ...{ security: "tls", isWrapped: true, required: [password] },
  },
  { name: "vless", schemes: ["vless"], types: ["vless"], userinfo: ["uuid"], isWrapped: true, required: [userId] },
  { name: "vmess", schemes: ["vmess"], types: ["vmess"], userinfo: ["uuid"], isWrapped: true, required: [userId] },
  {
    ...{ name: "shadowsocks", schemes: ["ss"], types: ["ss", "shadowsocks"], userinfo: ["method", "password"] },
    ...{ isBase64: true, required: [method, password] },
  },
  { name: "shadowsocksr", schemes: ["ssr"], types: ["ssr"], required: [method, password] },
  { name: "hysteria", schemes: ["hysteria"], types: ["hysteria"], ...ranged },
  {
    ...{ name: "hysteria2", schemes: ["hysteria2", "hy2"], types: ["hysteria2"], userinfo: ["password"] },
    ...{ defaultPort: 443, ...ranged, required: [obfuscation] },
  },
  { name: "tuic", schemes: ["tuic"], types: ["tuic"], userinfo: account, ...quic, required: [userId, password] },
  {
    ...{ name: "wireguard", schemes: ["wireguard", "wg"], types: ["wireguard"], userinfo: ["privatekey"] },
    ...{ defaultPort: 51_820, transport: "udp", required: [privateKey, peerKey] },
  },
  {
    ...{ name: "anytls", schemes: ["anytls"], types: ["anytls"], userinfo: ["password"], defaultPort: 443 },
    ...{ security: "tls", required: [password] },
  },
  {
    ...{ name: "socks", schemes: ["socks", "socks5"], types: ["socks", "socks5"], userinfo: login },
    ...{ isBase64: true, defaultPort: 1080 },
  },
  // A link with the scheme http or https is the URL of another subscription.
  { name: "http", types: ["http"] },
  {
    ...{ name: "naive", schemes: ["naive+https", "naive+quic"], types: ["naive"], userinfo: login },
    ...{ defaultPort: 443, security: "tls" },
  },
  { name: "ssh", schemes: ["ssh"], types: ["ssh"], userinfo: login, defaultPort: 22 },
  { name: "snell", schemes: ["snell"], types: ["snell"], userinfo: ["psk"], required: [psk] },
  {
    ...{ name: "mieru", schemes: ["mierus", "mieru"], types: ["mieru"], userinfo: login },
    ...{ hasPortRanges: true, required: [user, password] },
  },
  { name: "juicity", schemes: ["juicity"], userinfo: account, ...quic, required: [userId, password] },
  { name: "shadowtls", types: ["shadowtls"], security: "tls" },
];

/** Finds a protocol by the scheme of a link, in lower case. */
export const protocolOfScheme = indexed(({ schemes }) => schemes);
/** Finds a protocol by the type of an object, in lower case. */
export const protocolOfType = indexed(({ types }) => types);

function indexed(namesOf: (protocol: Protocol) => readonly string[] | undefined): ReadonlyMap<string, Protocol> {
  return new Map(protocols.flatMap((protocol) => (namesOf(protocol) ?? []).map((name) => [name, protocol] as const)));
}
