import { percentDecode } from "../../../../src/percent-decode.js";
import type { RejectionReason } from "../entry.js";
import type { ProxyNode } from "../proxy-node.js";
import { v2rayParameters, wrapped } from "./link-forms.js";
import { knownParameters, readQuery, type Settings } from "./link-parameters.js";
import { decodeBase64, readName } from "./link-text.js";
import { readEndpoint } from "./read-endpoint.js";
import { type SplitLink, splitAtColon, splitAuthority, splitLink } from "./split-link.js";

/**
 * Shadowsocks links: SIP002 (https://shadowsocks.org/doc/sip002.html), whose userinfo is `method:password` in base64 or
 * percent-encoded, and the older form, which encodes everything before the name in base64. Transports that a plugin
 * adds are in the setting `plugin`.
 */
export function readShadowsocks(rest: string): ProxyNode | RejectionReason {
  const link = splitLink(rest);
  return link.main.includes("@") ? readSip002(link) : readLegacy(link);
}

function readSip002(link: SplitLink): ProxyNode | RejectionReason {
  const plain = percentDecode(link.userinfo);
  return readNode(plain.includes(":") ? plain : (decodeBase64(plain) ?? ""), link, link);
}

function readLegacy(link: SplitLink): ProxyNode | RejectionReason {
  const decoded = decodeBase64(percentDecode(link.main.endsWith("/") ? link.main.slice(0, -1) : link.main));
  if (decoded === undefined) return "undecodable";
  const at = decoded.lastIndexOf("@");
  // Base64 contains the password verbatim, without percent-encoding.
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
  const carrier = readCarrier(wrapping, settings);
  if (typeof carrier === "string") return carrier;
  if (settings.plugin !== undefined) settings.plugin = settings.plugin.replace(oldObfs, "obfs-local");
  return {
    protocol: "shadowsocks",
    name: readName(link.fragment),
    server: endpoint.server,
    port: endpoint.port,
    ...carrier,
    settings,
  };
}

const readCarrier = wrapped("none");
const known = new Map([...v2rayParameters, ...knownParameters(["plugin", "uot", "udp-over-tcp"])]);
const oldObfs = /^simple-obfs(?=;|$)/;
