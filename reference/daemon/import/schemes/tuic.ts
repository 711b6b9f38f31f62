import type { ProxyNode } from "../proxy-node.js";
import type { RejectionReason } from "../rejection.js";
import { checksCertificate } from "./checks-certificate.js";
import { readEndpoint } from "./read-endpoint.js";
import { readName } from "./read-name.js";
import { knownParameters, readQuery, type Settings } from "./read-query.js";
import type { Scheme } from "./scheme.js";
import { splitCredentials } from "./split-credentials.js";
import { splitLink } from "./split-link.js";

/**
 * TUIC links: `tuic://uuid:password@host:port?congestion_control=bbr#name`, or `tuic://token@host:port` of version 4. See
 * https://github.com/daeuniverse/dae/discussions/182.
 */
export const tuic: Scheme = { names: ["tuic"], parse };

function parse(rest: string): ProxyNode | RejectionReason {
  const link = splitLink(rest);
  const { user, password } = splitCredentials(link.userinfo);
  if (user === "") return "missing-user-id";
  if (password === "") return "missing-password";
  const endpoint = readEndpoint(link);
  if (typeof endpoint === "string") return endpoint;
  const settings: Settings = password === undefined ? { token: user } : { uuid: user, password };
  const wrapping = readQuery(link.query, known, settings);
  return {
    protocol: "tuic",
    name: readName(link.fragment),
    server: endpoint.server,
    port: endpoint.port,
    transport: "quic",
    security: "tls",
    checksCertificate: checksCertificate(wrapping),
    settings,
  };
}

const known = knownParameters(
  ["congestion_control", "udp_relay_mode", "sni", "alpn", "disable_sni", "reduce_rtt", "heartbeat", "fp"],
  { peer: "sni" },
);
