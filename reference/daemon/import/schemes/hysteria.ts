import type { ProxyNode } from "../proxy-node.js";
import type { RejectionReason } from "../rejection.js";
import { checksCertificate } from "./checks-certificate.js";
import { readName } from "./read-name.js";
import { readPortRange } from "./read-port-range.js";
import { knownParameters, readQuery, type Settings } from "./read-query.js";
import type { Scheme } from "./scheme.js";
import { splitLink } from "./split-link.js";

/** `hysteria://host:port?auth=secret&peer=host#name`, see https://v1.hysteria.network/docs/uri-scheme/. */
export const hysteria: Scheme = { names: ["hysteria"], parse };

function parse(rest: string): ProxyNode | RejectionReason {
  const link = splitLink(rest);
  const settings: Settings = {};
  const wrapping = readQuery(link.query, known, settings);
  const endpoint = readPortRange(link, settings);
  if (typeof endpoint === "string") return endpoint;
  if (settings.obfs === "xplus" && settings.obfsParam === undefined) return "missing-obfuscation-password";
  return {
    protocol: "hysteria",
    name: readName(link.fragment),
    server: endpoint.server,
    port: endpoint.port,
    transport: "quic",
    security: "tls",
    checksCertificate: checksCertificate(wrapping),
    settings,
  };
}

const known = knownParameters(["auth", "protocol", "sni", "alpn", "upmbps", "downmbps", "obfs", "obfsParam"], {
  peer: "sni",
  mport: "ports",
});
