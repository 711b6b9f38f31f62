import type { Protocol, ProxyNode, Security } from "../proxy-node.js";
import type { RejectionReason } from "../rejection.js";
import { checksCertificate } from "./checks-certificate.js";
import { percentDecode } from "./percent-decode.js";
import { readEndpoint } from "./read-endpoint.js";
import { readName } from "./read-name.js";
import { knownParameters, readQuery, type Settings } from "./read-query.js";
import { readSecurity } from "./read-security.js";
import { readTransport } from "./read-transport.js";
import type { SplitLink } from "./split-link.js";

/** What differs between the protocols whose links have this form. */
export interface V2rayLinkForm {
  readonly protocol: Protocol;
  /** The setting that stands in the userinfo, and why a link without it is rejected. */
  readonly credential: "password" | "uuid";
  readonly missingCredential: RejectionReason;
  /** Undefined when links have to have a port. */
  readonly usualPort: number | undefined;
  /** What links without `security` mean. */
  readonly usualSecurity: Security;
}

/** The parameters of transports and TLS, as https://github.com/XTLS/Xray-core/discussions/716 lists them. */
export const v2rayParameters = knownParameters(
  [
    ...["sni", "alpn", "fp", "flow", "encryption", "packetEncoding", "ech", "pcs", "vcn"],
    ...["pbk", "sid", "spx", "pqv"],
    ...["host", "path", "serviceName", "authority", "mode", "headerType", "seed", "quicSecurity", "key", "extra"],
  ],
  { peer: "sni", wspath: "path" },
);

/** Reads `credential@host:port?type=ws&security=tls#name`. */
export function readV2rayLink(link: SplitLink, form: V2rayLinkForm): ProxyNode | RejectionReason {
  if (link.userinfo === "") return form.missingCredential;
  const endpoint = readEndpoint(link, form.usualPort);
  if (typeof endpoint === "string") return endpoint;
  const settings: Settings = { [form.credential]: percentDecode(link.userinfo) };
  const wrapping = readQuery(link.query, v2rayParameters, settings);
  const transport = readTransport(wrapping, settings);
  if (transport === undefined) return "unknown-transport";
  const security = readSecurity(wrapping, settings, form.usualSecurity);
  if (security === undefined) return "unknown-security";
  return {
    protocol: form.protocol,
    name: readName(link.fragment),
    server: endpoint.server,
    port: endpoint.port,
    transport,
    security,
    checksCertificate: checksCertificate(wrapping),
    settings,
  };
}
