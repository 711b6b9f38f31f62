import type { ProxyNode } from "../proxy-node.js";
import type { RejectionReason } from "../rejection.js";
import { checksCertificate } from "./checks-certificate.js";
import { hidesUserinfo } from "./hides-userinfo.js";
import { percentDecode } from "./percent-decode.js";
import { readName } from "./read-name.js";
import { readPortRange } from "./read-port-range.js";
import { knownParameters, readQuery, type Settings } from "./read-query.js";
import type { Scheme } from "./scheme.js";
import { splitLink } from "./split-link.js";

/**
 * `hysteria2://auth@host:443?sni=host#name`, see https://v2.hysteria.network/docs/developers/URI-Scheme/. A server may need no
 * authentication, and a port may be several: `123,5000-6000`.
 */
export const hysteria2: Scheme = { names: ["hysteria2", "hy2"], parse };

function parse(rest: string): ProxyNode | RejectionReason {
  const link = splitLink(rest);
  if (hidesUserinfo(link)) return "undecodable";
  const settings: Settings = link.userinfo === "" ? {} : { password: percentDecode(link.userinfo) };
  const wrapping = readQuery(link.query, known, settings);
  const endpoint = readPortRange(link, settings, 443);
  if (typeof endpoint === "string") return endpoint;
  if (settings.obfs === "salamander" && settings["obfs-password"] === undefined) return "missing-obfuscation-password";
  return {
    protocol: "hysteria2",
    name: readName(link.fragment),
    server: endpoint.server,
    port: endpoint.port,
    transport: "quic",
    security: "tls",
    checksCertificate: checksCertificate(wrapping),
    settings,
  };
}

const known = knownParameters(["sni", "alpn", "fp", "obfs", "obfs-password", "pinSHA256", "ech", "up", "down"], {
  peer: "sni",
  mport: "ports",
});
