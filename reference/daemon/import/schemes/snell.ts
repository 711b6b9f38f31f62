import type { ProxyNode } from "../proxy-node.js";
import type { RejectionReason } from "../rejection.js";
import { percentDecode } from "./percent-decode.js";
import { readEndpoint } from "./read-endpoint.js";
import { readName } from "./read-name.js";
import { knownParameters, readQuery } from "./read-query.js";
import type { Scheme } from "./scheme.js";
import { splitLink } from "./split-link.js";

/** `snell://psk@host:port?version=4&obfs=http#name`. No document defines these links; the settings are those of Surge. */
export const snell: Scheme = { names: ["snell"], parse };

function parse(rest: string): ProxyNode | RejectionReason {
  const link = splitLink(rest);
  if (link.userinfo === "") return "missing-password";
  const endpoint = readEndpoint(link);
  if (typeof endpoint === "string") return endpoint;
  const settings = { psk: percentDecode(link.userinfo) };
  readQuery(link.query, known, settings);
  return {
    protocol: "snell",
    name: readName(link.fragment),
    server: endpoint.server,
    port: endpoint.port,
    transport: "tcp",
    security: "none",
    checksCertificate: true,
    settings,
  };
}

const known = knownParameters(["version", "obfs", "obfs-host", "obfs-uri", "reuse"]);
