import type { RejectionReason } from "../entry.js";
import type { ProxyNode } from "../proxy-node.js";
import { knownParameters, readQuery, type Settings } from "./link-parameters.js";
import { cleanName, decodeBase64 } from "./link-text.js";
import { readEndpoint } from "./read-endpoint.js";

/**
 * ShadowsocksR links: base64 of `host:port:protocol:method:obfs:password/?obfsparam=…&remarks=…`, in which the password
 * and the parameters are themselves base64. See
 * https://github.com/shadowsocksr-backup/shadowsocks-rss/wiki/SSR-QRcode-scheme.
 */
export function readShadowsocksR(rest: string): ProxyNode | RejectionReason {
  const hash = rest.indexOf("#");
  const decoded = decodeBase64(hash < 0 ? rest : rest.slice(0, hash));
  if (decoded === undefined) return "undecodable";
  const mark = decoded.indexOf("/?");
  const parts = splitFromRight(mark < 0 ? decoded : decoded.slice(0, mark));
  if (parts === undefined) return "undecodable";
  const { method, protocol, obfs } = parts;
  if (method === "") return "missing-method";
  if (parts.password === "") return "missing-password";
  const password = decodeBase64(parts.password);
  if (password === undefined) return "undecodable";
  const endpoint = readEndpoint(parts);
  if (typeof endpoint === "string") return endpoint;
  const settings: Settings = { method, password };
  if (protocol !== "") settings.protocol = protocol;
  if (obfs !== "") settings.obfs = obfs;
  const encoded: Settings = {};
  if (mark >= 0) readQuery(decoded.slice(mark + 2), known, encoded);
  for (const [name, value] of Object.entries(encoded)) {
    // The server works without a parameter that cannot be decoded.
    const plain = decodeBase64(value);
    if (plain !== undefined && name !== "remarks") settings[name] = plain;
  }
  return {
    protocol: "shadowsocksr",
    name: cleanName(decodeBase64(encoded.remarks ?? "") ?? ""),
    server: endpoint.server,
    port: endpoint.port,
    transport: "tcp",
    security: "none",
    checksCertificate: true,
    settings,
  };
}

interface Parts {
  readonly host: string;
  readonly port: string;
  readonly protocol: string;
  readonly method: string;
  readonly obfs: string;
  readonly password: string;
}

/** The host can be an IPv6 address without brackets, so the parts are counted from the end. */
function splitFromRight(text: string): Parts | undefined {
  const parts = text.split(":");
  const [port, protocol, method, obfs, password] = parts.splice(-5);
  if (parts.length === 0 || password === undefined) return undefined;
  if (port === undefined || protocol === undefined || method === undefined || obfs === undefined) return undefined;
  return { host: parts.join(":"), port, protocol, method, obfs, password };
}

const known = knownParameters(["obfsparam", "protoparam", "remarks", "group"]);
