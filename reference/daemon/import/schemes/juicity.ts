import type { ProxyNode } from "../proxy-node.js";
import type { RejectionReason } from "../rejection.js";
import { checksCertificate } from "./checks-certificate.js";
import { readEndpoint } from "./read-endpoint.js";
import { readName } from "./read-name.js";
import { knownParameters, readQuery } from "./read-query.js";
import type { Scheme } from "./scheme.js";
import { splitCredentials } from "./split-credentials.js";
import { splitLink } from "./split-link.js";

/** `juicity://uuid:password@host:port?sni=host#name`, as Juicity's own `generate-sharelink` writes it. */
export const juicity: Scheme = { names: ["juicity"], parse };

function parse(rest: string): ProxyNode | RejectionReason {
  const link = splitLink(rest);
  const { user, password } = splitCredentials(link.userinfo);
  if (user === "") return "missing-user-id";
  if (password === undefined || password === "") return "missing-password";
  const endpoint = readEndpoint(link);
  if (typeof endpoint === "string") return endpoint;
  const settings = { uuid: user, password };
  const wrapping = readQuery(link.query, known, settings);
  return {
    protocol: "juicity",
    name: readName(link.fragment),
    server: endpoint.server,
    port: endpoint.port,
    transport: "quic",
    security: "tls",
    checksCertificate: checksCertificate(wrapping),
    settings,
  };
}

const known = knownParameters(["congestion_control", "sni", "pinned_certchain_sha256"], { peer: "sni" });
