import type { ProxyNode } from "../proxy-node.js";
import type { RejectionReason } from "../rejection.js";
import { checksCertificate } from "./checks-certificate.js";
import { percentDecode } from "./percent-decode.js";
import { readEndpoint } from "./read-endpoint.js";
import { readName } from "./read-name.js";
import { knownParameters, readQuery } from "./read-query.js";
import { readSecurity } from "./read-security.js";
import type { Scheme } from "./scheme.js";
import { splitLink } from "./split-link.js";

/** `anytls://password@host:443?sni=host#name`, see https://github.com/anytls/anytls-go/blob/main/docs/uri_scheme.md. */
export const anytls: Scheme = { names: ["anytls"], parse };

function parse(rest: string): ProxyNode | RejectionReason {
  const link = splitLink(rest);
  if (link.userinfo === "") return "missing-password";
  const endpoint = readEndpoint(link, 443);
  if (typeof endpoint === "string") return endpoint;
  const settings = { password: percentDecode(link.userinfo) };
  const wrapping = readQuery(link.query, known, settings);
  const security = readSecurity(wrapping, settings, "tls");
  if (security === undefined) return "unknown-security";
  return {
    protocol: "anytls",
    name: readName(link.fragment),
    server: endpoint.server,
    port: endpoint.port,
    transport: "tcp",
    security,
    checksCertificate: checksCertificate(wrapping),
    settings,
  };
}

const known = knownParameters(["sni", "alpn", "fp", "pbk", "sid", "ech"], { peer: "sni" });
