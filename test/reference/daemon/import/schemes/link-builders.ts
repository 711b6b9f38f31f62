import fc from "fast-check";
import type { ProxyNode } from "../../../../../reference/daemon/import/proxy-node.js";
import { base64Spellings, encodeBase64 } from "./encode-base64.js";

/** A link, and the node that parsing must return. */
export interface BuiltLink {
  readonly link: string;
  readonly want: Partial<ProxyNode>;
}

/** Text with characters that have a meaning in links. */
const text = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }),
  fc.string({ unit: fc.constantFrom(..."@:/?#%&=+;,[]\\|\"'<> ~-_.a1é香🇩🇪"), minLength: 1, maxLength: 20 }),
);
const name = fc
  .oneof(text, fc.constant(""))
  .map((text) => text.replace(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu, "").trim());
const uuid = fc.uuid();
const spelling = fc.constantFrom(...base64Spellings);

const label = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_-]{0,20}$/);
const hostName = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join("."));
const international = fc.constantFrom("例え.jp", "bücher.example", "пример.рф", "मिसाल.भारत", "xn--r8jz45g.jp");
const server = fc.oneof(hostName, international, fc.ipV4(), fc.ipV6());
const port = fc.integer({ min: 1, max: 65_535 });

/** Encodes text for any part of a link. Like some programs, leaves `!`, `'`, `(`, `)` and `*`. */
const encode = encodeURIComponent;
const bracketed = (server: string) => (server.includes(":") ? `[${server}]` : server);
const fragment = (name: string) => (name === "" ? "" : `#${encode(name)}`);

function query(parameters: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encode(value)}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/** Some of these settings in random order, each with random text. */
function some(...names: string[]): fc.Arbitrary<Record<string, string>> {
  if (names.length === 0) return fc.constant({});
  const setting = fc.tuple(fc.constantFrom(...names), text);
  return fc.uniqueArray(setting, { selector: ([name]) => name }).map((settings) => Object.fromEntries(settings));
}

/** A scheme whose userinfo consists of settings, each percent-encoded, separated by colons. */
function uriForm(scheme: string, protocol: ProxyNode["protocol"], inUserinfo: string[], inQuery: string[]) {
  const credentials = fc.record(Object.fromEntries(inUserinfo.map((name) => [name, text])));
  return fc
    .record({ credentials, parameters: some(...inQuery), server, port, name, slash: fc.constantFrom("", "/") })
    .map(({ credentials, parameters, server, port, name, slash }): BuiltLink => {
      const userinfo = inUserinfo.map((setting) => encode(credentials[setting] ?? "")).join(":");
      return {
        link: `${scheme}://${userinfo}@${bracketed(server)}:${port}${slash}${query(parameters)}${fragment(name)}`,
        want: { protocol, server, port, name, settings: { ...credentials, ...parameters } },
      };
    });
}

const vmessJson = fc
  .record({ uuid, server, port, name, sni: text, host: text, path: text, spelling, asText: fc.boolean() })
  .map(({ uuid, server, port, name, sni, host, path, spelling, asText }): BuiltLink => {
    const json = { v: "2", ps: name, add: server, port: asText ? `${port}` : port, id: uuid, aid: asText ? "0" : 0 };
    const more = { scy: "auto", net: "ws", host, path, tls: "tls", sni };
    const settings = { uuid, aid: "0", encryption: "auto", host, path, sni };
    return {
      link: `vmess://${encodeBase64(JSON.stringify({ ...json, ...more }), spelling)}`,
      want: { protocol: "vmess", server, port, name, transport: "websocket", security: "tls", settings },
    };
  });

const method = fc.constantFrom("aes-256-gcm", "chacha20-ietf-poly1305", "2022-blake3-aes-128-gcm", "none");
const ssForms = ["plain", "plain with encoded colon", "base64", "base64 with encoded padding", "legacy"] as const;

const ss = fc
  .record({ method, password: text, server, port, name, spelling, form: fc.constantFrom(...ssForms) })
  .map(({ method, password, server, port, name, spelling, form }): BuiltLink => {
    const address = `${bracketed(server)}:${port}`;
    const secret = `${method}:${password}`;
    const beforeName = {
      plain: () => `${method}:${encode(password)}@${address}`,
      "plain with encoded colon": () => `${encode(secret)}@${address}`,
      base64: () => `${encodeBase64(secret, spelling)}@${address}`,
      "base64 with encoded padding": () => `${encode(encodeBase64(secret, spelling))}@${address}/`,
      legacy: () => encodeBase64(`${secret}@${address}`, spelling),
    }[form];
    return {
      link: `ss://${beforeName()}${fragment(name)}`,
      want: { protocol: "shadowsocks", server, port, name, settings: { method, password } },
    };
  });

const ssr = fc
  .record({ password: text, server, port, name, obfsparam: text, protoparam: text, group: text, spelling })
  .map(({ password, server, port, name, spelling, ...parameters }): BuiltLink => {
    const [protocol, method, obfs] = ["auth_aes128_md5", "aes-256-cfb", "tls1.2_ticket_auth"] as const;
    const inside = (text: string) => encodeBase64(text, spelling);
    const left = [server, port, protocol, method, obfs, inside(password)].join(":");
    const right = Object.entries({ ...parameters, remarks: name }).map(([name, value]) => `${name}=${inside(value)}`);
    return {
      link: `ssr://${inside(`${left}/?${right.join("&")}`)}`,
      want: {
        protocol: "shadowsocksr",
        server,
        port,
        name,
        settings: { method, password, protocol, obfs, ...parameters },
      },
    };
  });

const portRange = fc.tuple(port, port).map(([one, other]) => `${Math.min(one, other)}-${Math.max(one, other)}`);
const severalPorts = fc
  .array(fc.oneof(port.map(String), portRange), { minLength: 1, maxLength: 4 })
  .map((items) => items.join(","))
  .filter((ports) => /[,-]/.test(ports));

const hysteria2Ports = fc
  .record({ password: text, server, ports: severalPorts, name, inQuery: fc.boolean() })
  .map(({ password, server, ports, name, inQuery }): BuiltLink => {
    const place = inQuery ? `/?mport=${ports}` : `:${ports}/`;
    return {
      link: `hy2://${encode(password)}@${bracketed(server)}${place}${fragment(name)}`,
      want: { protocol: "hysteria2", server, port: Number.parseInt(ports, 10), name, settings: { password, ports } },
    };
  });

const hysteria = fc.record({ parameters: some("auth", "sni", "alpn", "upmbps", "downmbps"), server, port, name }).map(
  ({ parameters, server, port, name }): BuiltLink => ({
    link: `hysteria://${bracketed(server)}:${port}${query(parameters)}${fragment(name)}`,
    want: { protocol: "hysteria", server, port, name, settings: parameters },
  }),
);

const socksInBase64 = fc
  .record({ username: text.filter((user) => !user.includes(":")), password: text, server, port, name, spelling })
  .map(
    ({ username, password, server, port, name, spelling }): BuiltLink => ({
      link: `socks://${encode(encodeBase64(`${username}:${password}`, spelling))}@${bracketed(server)}:${port}${fragment(name)}`,
      want: { protocol: "socks", server, port, name, settings: { username, password } },
    }),
  );

const v2ray = ["sni", "alpn", "fp", "flow", "host", "path", "serviceName", "spx", "sid"];

/** Links with random fields, by scheme. */
export const linkBuilders: Readonly<Record<string, fc.Arbitrary<BuiltLink>>> = {
  trojan: uriForm("trojan", "trojan", ["password"], v2ray),
  vless: uriForm("vless", "vless", ["uuid"], ["pbk", ...v2ray]),
  "vmess, standard form": uriForm("vmess", "vmess", ["uuid"], v2ray),
  "vmess, JSON": vmessJson,
  ss,
  ssr,
  hysteria,
  hysteria2: uriForm("hysteria2", "hysteria2", ["password"], ["sni", "obfs-password", "pinSHA256"]),
  "hysteria2, several ports": hysteria2Ports,
  "tuic, version 5": uriForm("tuic", "tuic", ["uuid", "password"], ["sni", "alpn", "congestion_control"]),
  wireguard: uriForm("wireguard", "wireguard", ["privatekey"], ["presharedkey", "reserved", "address", "mtu"]).map(
    ({ link, want }) => ({
      link: link.includes("?") ? link.replace("?", "?publickey=k%3D&") : link.replace(/(?=#)|$/, "?publickey=k%3D"),
      want: { ...want, settings: { publickey: "k=", ...want.settings } },
    }),
  ),
  anytls: uriForm("anytls", "anytls", ["password"], ["sni", "alpn"]),
  socks: uriForm("socks5", "socks", ["username", "password"], []),
  "socks, base64": socksInBase64,
  "naive+https": uriForm("naive+https", "naive", ["username", "password"], ["extra-headers"]),
  "naive+quic": uriForm("naive+quic", "naive", ["username", "password"], ["extra-headers"]),
  ssh: uriForm("ssh", "ssh", ["username", "password"], ["private-key", "host-key"]),
  snell: uriForm("snell", "snell", ["psk"], ["version", "obfs", "obfs-host"]),
  mieru: uriForm("mierus", "mieru", ["username", "password"], ["mtu", "multiplexing"]),
  juicity: uriForm("juicity", "juicity", ["uuid", "password"], ["sni", "congestion_control"]),
};
