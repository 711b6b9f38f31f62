import type { RejectionReason } from "../entry.js";
import { scalarText } from "../formats/fields.js";
import type { ProxyNode, Security } from "../proxy-node.js";
import { readSplitLink, vmessForm } from "./link-forms.js";
import { isOn, type Settings, transportOf } from "./link-parameters.js";
import { cleanName, decodeBase64, readName } from "./link-text.js";
import { readEndpoint } from "./read-endpoint.js";
import { type SplitLink, splitLink } from "./split-link.js";

/**
 * Reads both forms of VMess links: base64 of JSON, defined by v2rayN, and `vmess://uuid@host:port?type=ws#name`. Base64
 * never contains `@`.
 */
export function readVmess(rest: string): ProxyNode | RejectionReason {
  const link = splitLink(rest);
  return link.main.includes("@") ? readSplitLink(link, vmessForm) : readV2rayNJson(link);
}

/**
 * Reads a VMess link of v2rayN: base64 of a JSON object
 * (https://github.com/2dust/v2rayN/wiki/Description-of-VMess-share-link). Accepts numbers as texts and texts as
 * numbers. Names the settings as in the other form of VMess links.
 */
function readV2rayNJson({ main, fragment }: SplitLink): ProxyNode | RejectionReason {
  const json = parseObject(decodeBase64(main));
  if (json === undefined) return "undecodable";
  const uuid = scalarText(json.id);
  if (uuid === "") return "missing-user-id";
  const endpoint = readEndpoint({ host: scalarText(json.add), port: scalarText(json.port) });
  if (typeof endpoint === "string") return endpoint;
  const type = scalarText(json.type);
  const transport = transportOf(scalarText(json.net), type);
  if (transport === undefined) return "unknown-transport";
  const security = securityOf(scalarText(json.tls));
  if (security === undefined) return "unknown-security";
  const settings: Settings = { uuid };
  const keep = (setting: string, value: unknown) => {
    const kept = scalarText(value);
    if (kept !== "") settings[setting] = kept;
  };
  keep("aid", json.aid);
  keep("encryption", json.scy);
  for (const name of ["sni", "alpn", "fp", "pbk", "sid", "spx", "pcs", "vcn"]) keep(name, json[name]);
  // The meaning of these three depends on the transport.
  const names = namesByTransport[transport] ?? defaultNames;
  keep(names.type, type);
  keep(names.host, json.host);
  keep(names.path, json.path);
  return {
    protocol: "vmess",
    name: cleanName(scalarText(json.ps)) || readName(fragment),
    server: endpoint.server,
    port: endpoint.port,
    transport,
    security,
    checksCertificate: ![json.insecure, json.allowInsecure, json["skip-cert-verify"]].some((value) =>
      isOn(scalarText(value)),
    ),
    settings,
  };
}

function parseObject(json: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (json === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return { ...value };
  } catch {
    return undefined;
  }
}

function securityOf(tls: string): Security | undefined {
  switch (tls.toLowerCase()) {
    case "":
    case "none":
    case "false":
    case "0":
      return "none";
    case "tls":
    case "true":
    case "1":
      return "tls";
    case "reality":
      return "reality";
    default:
      return undefined;
  }
}

const defaultNames = { type: "headerType", host: "host", path: "path" };
const namesByTransport: Readonly<Record<string, typeof defaultNames>> = {
  grpc: { type: "mode", host: "authority", path: "serviceName" },
  kcp: { type: "headerType", host: "host", path: "seed" },
  quic: { type: "headerType", host: "quicSecurity", path: "key" },
  xhttp: { type: "mode", host: "host", path: "path" },
};
