import type { ProxyNode } from "../proxy-node.js";
import type { RejectionReason } from "../rejection.js";
import { readEndpoint } from "./read-endpoint.js";
import { readName } from "./read-name.js";
import { knownParameters, readQuery } from "./read-query.js";
import type { Scheme } from "./scheme.js";
import { splitCredentials } from "./split-credentials.js";
import { splitLink } from "./split-link.js";
import { userSettings } from "./user-settings.js";

/** `ssh://user:password@host:22#name`. A key can stand in `private-key`; without either, the runtime has one. */
export const ssh: Scheme = { names: ["ssh"], parse };

function parse(rest: string): ProxyNode | RejectionReason {
  const link = splitLink(rest);
  const credentials = splitCredentials(link.userinfo);
  if (credentials.user === "") return "missing-user-id";
  const endpoint = readEndpoint(link, 22);
  if (typeof endpoint === "string") return endpoint;
  const settings = userSettings(credentials);
  readQuery(link.query, known, settings);
  return {
    protocol: "ssh",
    name: readName(link.fragment),
    server: endpoint.server,
    port: endpoint.port,
    transport: "tcp",
    security: "none",
    checksCertificate: true,
    settings,
  };
}

const known = knownParameters(["private-key", "private-key-passphrase", "host-key", "host-key-algorithms"], {
  privateKey: "private-key",
  private_key: "private-key",
  hostKey: "host-key",
  host_key: "host-key",
});
