import type { ProxyNode } from "../proxy-node.js";
import type { RejectionReason } from "../rejection.js";
import { cleanName } from "./clean-name.js";
import { readName } from "./read-name.js";
import { readPortRange } from "./read-port-range.js";
import { knownParameters, readQuery } from "./read-query.js";
import type { Scheme } from "./scheme.js";
import { splitCredentials } from "./split-credentials.js";
import { splitLink } from "./split-link.js";
import { userSettings } from "./user-settings.js";

/**
 * `mierus://user:password@host?port=6666&protocol=TCP#name`, see
 * https://github.com/enfein/mieru/blob/main/docs/client-install.md. The port can be a range, or stand after the host. Of several
 * ports the first one counts. The other form, a whole configuration in base64, is rejected.
 */
export const mieru: Scheme = { names: ["mierus", "mieru"], parse };

function parse(rest: string): ProxyNode | RejectionReason {
  const link = splitLink(rest);
  if (!link.main.includes("@")) return "undecodable";
  const { user, password } = splitCredentials(link.userinfo);
  if (user === "") return "missing-user-id";
  if (password === undefined || password === "") return "missing-password";
  const settings = userSettings({ user, password });
  readQuery(link.query, known, settings);
  const endpoint = readPortRange(link, settings);
  if (typeof endpoint === "string") return endpoint;
  return {
    protocol: "mieru",
    name: readName(link.fragment) || cleanName(settings.profile ?? ""),
    server: endpoint.server,
    port: endpoint.port,
    transport: settings.protocol?.toLowerCase() === "udp" ? "udp" : "tcp",
    security: "none",
    checksCertificate: true,
    settings,
  };
}

const known = knownParameters(["protocol", "profile", "mtu", "multiplexing", "handshake-mode"], { port: "ports" });
