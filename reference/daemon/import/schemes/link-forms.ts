import { percentDecode } from "../../../../src/percent-decode.js";
import type { RejectionReason } from "../entry.js";
import type { Protocol, ProxyNode, Security, Transport } from "../proxy-node.js";
import {
  checksCertificate,
  type KnownParameters,
  knownParameters,
  readQuery,
  readSecurity,
  readTransport,
  type Settings,
  type Wrapping,
} from "./link-parameters.js";
import { cleanName, readName } from "./link-text.js";
import { readEndpoint, readPortRange } from "./read-endpoint.js";
import { type Credentials, hidesUserinfo, type SplitLink, splitCredentials, splitLink } from "./split-link.js";

/** The form of links `userinfo@host:port?parameters#name` of a scheme. */
export interface LinkForm {
  /** In lower case. */
  readonly names: readonly string[];
  readonly protocol: Protocol;
  /** Converts the userinfo to settings, or rejects it. */
  readonly userinfo: (link: SplitLink) => Settings | RejectionReason;
  readonly parameters: KnownParameters;
  /** Returns the reason if a required setting is missing. Called after the parameters were added. */
  readonly missing?: (settings: Readonly<Settings>) => RejectionReason | undefined;
  /** The default port. */
  readonly defaultPort?: number;
  /** Whether several ports and ranges of ports are allowed. */
  readonly hasPortRange?: true;
  readonly carrier: (wrapping: Wrapping, settings: Readonly<Settings>) => Carrier | RejectionReason;
  /** The setting that names a link without a fragment. */
  readonly nameSetting?: string;
}

type Carrier = Pick<ProxyNode, "transport" | "security" | "checksCertificate">;

/** Reads the part of a link after `://`. */
export function readLink(rest: string, form: LinkForm): ProxyNode | RejectionReason {
  return readSplitLink(splitLink(rest), form);
}

/** Reads the parts of a link. */
export function readSplitLink(link: SplitLink, form: LinkForm): ProxyNode | RejectionReason {
  const settings = form.userinfo(link);
  if (typeof settings === "string") return settings;
  const wrapping = readQuery(link.query, form.parameters, settings);
  const missing = form.missing?.(settings);
  if (missing !== undefined) return missing;
  const endpoint = form.hasPortRange
    ? readPortRange(link, settings, form.defaultPort)
    : readEndpoint(link, form.defaultPort);
  if (typeof endpoint === "string") return endpoint;
  const carrier = form.carrier(wrapping, settings);
  if (typeof carrier === "string") return carrier;
  const name = readName(link.fragment);
  return {
    protocol: form.protocol,
    name: name === "" && form.nameSetting !== undefined ? cleanName(settings[form.nameSetting] ?? "") : name,
    server: endpoint.server,
    port: endpoint.port,
    transport: carrier.transport,
    security: carrier.security,
    checksCertificate: carrier.checksCertificate,
    settings,
  };
}

/** The whole userinfo is one setting, including colons. */
function secret(setting: string, missing: RejectionReason): LinkForm["userinfo"] {
  return ({ userinfo }) => (userinfo === "" ? missing : { [setting]: percentDecode(userinfo) });
}

/** The userinfo is a user name and a password. */
function pair(read: (credentials: Credentials) => Settings | RejectionReason): LinkForm["userinfo"] {
  return ({ userinfo }) => read(splitCredentials(userinfo));
}

/** The settings `username` and `password`, if a link has them. */
export function userSettings({ user, password }: Credentials): Settings {
  const settings: Settings = {};
  if (user !== "") settings.username = user;
  if (password !== undefined && password !== "") settings.password = password;
  return settings;
}

function userAndPassword(credentials: Credentials, userSetting: string): Settings | RejectionReason {
  const { user, password } = credentials;
  if (user === "") return "missing-user-id";
  if (password === undefined || password === "") return "missing-password";
  return { [userSetting]: user, password };
}

/** A fixed transport and security, regardless of the parameters. */
function always(transport: Transport, security: Security): LinkForm["carrier"] {
  const carrier = { transport, security, checksCertificate: true };
  return () => carrier;
}

/** TLS over a fixed transport. */
function tlsOver(transport: Transport): LinkForm["carrier"] {
  return (wrapping) => ({ transport, security: "tls", checksCertificate: checksCertificate(wrapping) });
}

/** QUIC, optionally obfuscated with a password. */
function obfuscatedQuic(obfuscation: string, passwordSetting: string): LinkForm["carrier"] {
  const carrier = tlsOver("quic");
  return (wrapping, settings) =>
    settings.obfs === obfuscation && settings[passwordSetting] === undefined
      ? "missing-obfuscation-password"
      : carrier(wrapping, settings);
}

/** The parameters `type` and `security`; `defaultSecurity` is the security of links without `security`. */
export function wrapped(defaultSecurity: Security, fixedTransport?: Transport): LinkForm["carrier"] {
  return (wrapping, settings) => {
    const transport = fixedTransport ?? readTransport(wrapping, settings);
    if (transport === undefined) return "unknown-transport";
    const security = readSecurity(wrapping, settings, defaultSecurity);
    if (security === undefined) return "unknown-security";
    return { transport, security, checksCertificate: checksCertificate(wrapping) };
  };
}

/** The parameters of transports and TLS, as https://github.com/XTLS/Xray-core/discussions/716 lists them. */
export const v2rayParameters = knownParameters(
  [
    ...["sni", "alpn", "fp", "flow", "encryption", "packetEncoding", "ech", "pcs", "vcn"],
    ...["pbk", "sid", "spx", "pqv"],
    ...["host", "path", "serviceName", "authority", "mode", "headerType", "seed", "quicSecurity", "key", "extra"],
  ],
  { peer: "sni", wspath: "path" },
);

/** `vmess://uuid@host:port?type=ws#name`, see https://github.com/XTLS/Xray-core/discussions/716. */
export const vmessForm: LinkForm = {
  names: ["vmess"],
  protocol: "vmess",
  userinfo: secret("uuid", "missing-user-id"),
  parameters: v2rayParameters,
  carrier: wrapped("none"),
};

const naive = {
  protocol: "naive",
  userinfo: (link) => (hidesUserinfo(link) ? "undecodable" : userSettings(splitCredentials(link.userinfo))),
  parameters: knownParameters(["extra-headers", "padding", "sni"]),
  defaultPort: 443,
} satisfies Partial<LinkForm>;

/** The schemes that differ only in these fields. */
export const linkForms: readonly LinkForm[] = [
  {
    // https://github.com/trojan-gfw/trojan-url
    names: ["trojan"],
    protocol: "trojan",
    userinfo: secret("password", "missing-password"),
    parameters: v2rayParameters,
    defaultPort: 443,
    carrier: wrapped("tls"),
  },
  {
    // https://github.com/XTLS/Xray-core/discussions/716
    names: ["vless"],
    protocol: "vless",
    userinfo: secret("uuid", "missing-user-id"),
    parameters: v2rayParameters,
    carrier: wrapped("none"),
  },
  {
    // https://v1.hysteria.network/docs/uri-scheme/
    names: ["hysteria"],
    protocol: "hysteria",
    userinfo: () => ({}),
    parameters: knownParameters(["auth", "protocol", "sni", "alpn", "upmbps", "downmbps", "obfs", "obfsParam"], {
      peer: "sni",
      mport: "ports",
    }),
    hasPortRange: true,
    carrier: obfuscatedQuic("xplus", "obfsParam"),
  },
  {
    // https://v2.hysteria.network/docs/developers/URI-Scheme/. A server may need no authentication.
    names: ["hysteria2", "hy2"],
    protocol: "hysteria2",
    userinfo: (link) => {
      if (hidesUserinfo(link)) return "undecodable";
      return link.userinfo === "" ? {} : { password: percentDecode(link.userinfo) };
    },
    parameters: knownParameters(["sni", "alpn", "fp", "obfs", "obfs-password", "pinSHA256", "ech", "up", "down"], {
      peer: "sni",
      mport: "ports",
    }),
    defaultPort: 443,
    hasPortRange: true,
    carrier: obfuscatedQuic("salamander", "obfs-password"),
  },
  {
    // https://github.com/daeuniverse/dae/discussions/182. Version 4 uses a token instead of user and password.
    names: ["tuic"],
    protocol: "tuic",
    userinfo: pair((credentials) =>
      credentials.password === undefined && credentials.user !== ""
        ? { token: credentials.user }
        : userAndPassword(credentials, "uuid"),
    ),
    parameters: knownParameters(
      ["congestion_control", "udp_relay_mode", "sni", "alpn", "disable_sni", "reduce_rtt", "heartbeat", "fp"],
      { peer: "sni" },
    ),
    carrier: tlsOver("quic"),
  },
  {
    // These links have no specification; this is the form that clients write. The private key may also be a parameter.
    names: ["wireguard", "wg"],
    protocol: "wireguard",
    userinfo: ({ userinfo }) => (userinfo === "" ? {} : { privatekey: percentDecode(userinfo) }),
    parameters: knownParameters(
      ["privatekey", "publickey", "presharedkey", "reserved", "address", "mtu", "dns", "keepalive", "allowedips"],
      {
        ...{ privateKey: "privatekey", secretKey: "privatekey", "private-key": "privatekey" },
        ...{ publicKey: "publickey", "public-key": "publickey" },
        ...{ presharedKey: "presharedkey", preSharedKey: "presharedkey", "pre-shared-key": "presharedkey" },
        ...{ ip: "address", allowedIPs: "allowedips" },
      },
    ),
    missing: ({ privatekey, publickey }) => {
      if (privatekey === undefined) return "missing-key";
      return publickey === undefined ? "missing-peer-key" : undefined;
    },
    defaultPort: 51_820,
    carrier: always("udp", "none"),
  },
  {
    // https://github.com/anytls/anytls-go/blob/main/docs/uri_scheme.md
    names: ["anytls"],
    protocol: "anytls",
    userinfo: secret("password", "missing-password"),
    parameters: knownParameters(["sni", "alpn", "fp", "pbk", "sid", "ech"], { peer: "sni" }),
    defaultPort: 443,
    carrier: wrapped("tls", "tcp"),
  },
  // The form of NaiveProxy's own `proxy` option with a name.
  { ...naive, names: ["naive+https"], carrier: always("tcp", "tls") },
  { ...naive, names: ["naive+quic"], carrier: always("quic", "tls") },
  {
    // Without a password or a key, the runtime uses its own.
    names: ["ssh"],
    protocol: "ssh",
    userinfo: pair((credentials) => (credentials.user === "" ? "missing-user-id" : userSettings(credentials))),
    parameters: knownParameters(["private-key", "private-key-passphrase", "host-key", "host-key-algorithms"], {
      privateKey: "private-key",
      private_key: "private-key",
      hostKey: "host-key",
      host_key: "host-key",
    }),
    defaultPort: 22,
    carrier: always("tcp", "none"),
  },
  {
    // These links have no specification; the settings are those of Surge.
    names: ["snell"],
    protocol: "snell",
    userinfo: secret("psk", "missing-password"),
    parameters: knownParameters(["version", "obfs", "obfs-host", "obfs-uri", "reuse"]),
    carrier: always("tcp", "none"),
  },
  {
    // https://github.com/enfein/mieru/blob/main/docs/client-install.md. The other form, a configuration in base64, is rejected.
    names: ["mierus", "mieru"],
    protocol: "mieru",
    userinfo: ({ main, userinfo }) =>
      main.includes("@") ? userAndPassword(splitCredentials(userinfo), "username") : "undecodable",
    parameters: knownParameters(["protocol", "profile", "mtu", "multiplexing", "handshake-mode"], { port: "ports" }),
    hasPortRange: true,
    carrier: (_, { protocol }) => ({
      transport: protocol?.toLowerCase() === "udp" ? "udp" : "tcp",
      security: "none",
      checksCertificate: true,
    }),
    nameSetting: "profile",
  },
  {
    // The form that Juicity's own `generate-sharelink` writes.
    names: ["juicity"],
    protocol: "juicity",
    userinfo: pair((credentials) => userAndPassword(credentials, "uuid")),
    parameters: knownParameters(["congestion_control", "sni", "pinned_certchain_sha256"], { peer: "sni" }),
    carrier: tlsOver("quic"),
  },
];
