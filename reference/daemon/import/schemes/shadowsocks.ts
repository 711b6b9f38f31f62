import type { ProxyNode } from "../proxy-node.js";
import type { RejectionReason } from "../rejection.js";
import { checksCertificate } from "./checks-certificate.js";
import { decodeBase64 } from "./decode-base64.js";
import { percentDecode } from "./percent-decode.js";
import { readEndpoint } from "./read-endpoint.js";
import { readName } from "./read-name.js";
import { knownParameters, readQuery, type Settings } from "./read-query.js";
import { readSecurity } from "./read-security.js";
import { readTransport } from "./read-transport.js";
import { v2rayParameters } from "./read-v2ray-link.js";
import type { Scheme } from "./scheme.js";
import { splitAtColon } from "./split-credentials.js";
import { type SplitLink, splitAuthority, splitLink } from "./split-link.js";

/**
 * Shadowsocks links: SIP002 (https://shadowsocks.org/doc/sip002.html), where the userinfo is `method:password`, in base64 or
 * percent-encoded, and the older form, where base64 holds all before the name. What a plugin makes of the transport is in the setting
 * `plugin`.
 */
export const shadowsocks: Scheme = {
  names: ["ss"],
  parse: (rest) => {
    const link = splitLink(rest);
    return link.main.includes("@") ? readSip002(link) : readLegacy(link);
  },
};

function readSip002(link: SplitLink): ProxyNode | RejectionReason {
  const plain = percentDecode(link.userinfo);
  return readNode(plain.includes(":") ? plain : (decodeBase64(plain) ?? ""), link, link);
}

function readLegacy(link: SplitLink): ProxyNode | RejectionReason {
  const decoded = decodeBase64(percentDecode(link.main.endsWith("/") ? link.main.slice(0, -1) : link.main));
  if (decoded === undefined) return "undecodable";
  const at = decoded.lastIndexOf("@");
  // The password is as it is: nothing is percent-encoded in base64.
  return readNode(decoded.slice(0, Math.max(at, 0)), splitAuthority(decoded.slice(at + 1)), link);
}

function readNode(
  credentials: string,
  address: { readonly host: string; readonly port: string },
  link: SplitLink,
): ProxyNode | RejectionReason {
  const { user: method, password } = splitAtColon(credentials);
  if (method === "" || password === undefined) return "missing-method";
  if (password === "") return "missing-password";
  const endpoint = readEndpoint(address);
  if (typeof endpoint === "string") return endpoint;
  const settings: Settings = { method, password };
  const wrapping = readQuery(link.query, known, settings);
  const transport = readTransport(wrapping, settings);
  if (transport === undefined) return "unknown-transport";
  const security = readSecurity(wrapping, settings, "none");
  if (security === undefined) return "unknown-security";
  if (settings.plugin !== undefined) settings.plugin = settings.plugin.replace(oldObfs, "obfs-local");
  return {
    protocol: "shadowsocks",
    name: readName(link.fragment),
    server: endpoint.server,
    port: endpoint.port,
    transport,
    security,
    checksCertificate: checksCertificate(wrapping),
    settings,
  };
}

const known = new Map([...v2rayParameters, ...knownParameters(["plugin", "uot", "udp-over-tcp"])]);
const oldObfs = /^simple-obfs(?=;|$)/;
