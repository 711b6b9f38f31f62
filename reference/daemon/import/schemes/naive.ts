import type { ProxyNode } from "../proxy-node.js";
import type { RejectionReason } from "../rejection.js";
import { hidesUserinfo } from "./hides-userinfo.js";
import { readEndpoint } from "./read-endpoint.js";
import { readName } from "./read-name.js";
import { knownParameters, readQuery } from "./read-query.js";
import type { Scheme } from "./scheme.js";
import { splitCredentials } from "./split-credentials.js";
import { splitLink } from "./split-link.js";
import { userSettings } from "./user-settings.js";

/** `naive+https://user:password@host:443#name`, the form of NaiveProxy's own `proxy` option with a name. */
export const naiveHttps: Scheme = { names: ["naive+https"], parse: (rest) => readNaive(rest, "tcp") };

/** The same over QUIC: `naive+quic://user:password@host:443`. */
export const naiveQuic: Scheme = { names: ["naive+quic"], parse: (rest) => readNaive(rest, "quic") };

function readNaive(rest: string, transport: "tcp" | "quic"): ProxyNode | RejectionReason {
  const link = splitLink(rest);
  if (hidesUserinfo(link)) return "undecodable";
  const endpoint = readEndpoint(link, 443);
  if (typeof endpoint === "string") return endpoint;
  const settings = userSettings(splitCredentials(link.userinfo));
  readQuery(link.query, known, settings);
  return {
    protocol: "naive",
    name: readName(link.fragment),
    server: endpoint.server,
    port: endpoint.port,
    transport,
    security: "tls",
    checksCertificate: true,
    settings,
  };
}

const known = knownParameters(["extra-headers", "padding", "sni"]);
