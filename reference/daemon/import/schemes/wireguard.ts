import type { ProxyNode } from "../proxy-node.js";
import type { RejectionReason } from "../rejection.js";
import { percentDecode } from "./percent-decode.js";
import { readEndpoint } from "./read-endpoint.js";
import { readName } from "./read-name.js";
import { knownParameters, readQuery, type Settings } from "./read-query.js";
import type { Scheme } from "./scheme.js";
import { splitLink } from "./split-link.js";

/**
 * `wireguard://privatekey@host:51820?publickey=…&address=10.0.0.2/32#name`. No document defines these links; this is what clients
 * write. The private key can stand in the query instead.
 */
export const wireguard: Scheme = { names: ["wireguard", "wg"], parse };

function parse(rest: string): ProxyNode | RejectionReason {
  const link = splitLink(rest);
  const settings: Settings = link.userinfo === "" ? {} : { privatekey: percentDecode(link.userinfo) };
  readQuery(link.query, known, settings);
  if (settings.privatekey === undefined) return "missing-key";
  if (settings.publickey === undefined) return "missing-peer-key";
  const endpoint = readEndpoint(link, 51_820);
  if (typeof endpoint === "string") return endpoint;
  return {
    protocol: "wireguard",
    name: readName(link.fragment),
    server: endpoint.server,
    port: endpoint.port,
    transport: "udp",
    security: "none",
    checksCertificate: true,
    settings,
  };
}

const known = knownParameters(
  ["privatekey", "publickey", "presharedkey", "reserved", "address", "mtu", "dns", "keepalive", "allowedips"],
  {
    ...{ privateKey: "privatekey", secretKey: "privatekey", "private-key": "privatekey" },
    ...{ publicKey: "publickey", "public-key": "publickey" },
    ...{ presharedKey: "presharedkey", preSharedKey: "presharedkey", "pre-shared-key": "presharedkey" },
    ...{ ip: "address", allowedIPs: "allowedips" },
  },
);
