import type { Protocol, ProxyNode, Security, Transport } from "../../proxy-node.js";
import type { RejectionReason } from "../../rejection.js";
import { cleanName } from "../../schemes/clean-name.js";
import { longestEntry } from "../../schemes/parse-link.js";
import { readEndpoint } from "../../schemes/read-endpoint.js";
import { readPorts } from "../../schemes/read-ports.js";

/** A node as a format describes it, before anything is checked. Texts are empty where the entry has none. */
export interface Draft {
  readonly protocol: Protocol;
  readonly name: string;
  readonly server: string;
  readonly port: string;
  /** Undefined when the transport is not known. */
  readonly transport: Transport | undefined;
  readonly security: Security;
  readonly checksCertificate: boolean;
  /** Under the names that share links give them, which `schemes/` shows. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Checks a draft: gives the node, or why there is none. */
export function finishDraft(draft: Draft): ProxyNode | RejectionReason {
  const settings: Record<string, string> = {};
  let length = 0;
  for (const name of Object.keys(draft.settings)) {
    const value = draft.settings[name] ?? "";
    if (value === "") continue;
    settings[name] = value;
    length += value.length;
  }
  if (length > longestEntry) return "too-long";
  const missing = missingSetting(draft.protocol, settings);
  if (missing !== undefined) return missing;
  const several = settings.ports;
  const usualPort = several === undefined ? undefined : readPorts(several);
  if (several !== undefined && usualPort === undefined) return "invalid-port";
  const endpoint = readEndpoint({ host: draft.server.trim(), port: draft.port.trim() }, usualPort);
  if (typeof endpoint === "string") return endpoint;
  if (draft.transport === undefined) return "unknown-transport";
  return {
    protocol: draft.protocol,
    name: cleanName(draft.name),
    server: endpoint.server,
    port: endpoint.port,
    transport: draft.transport,
    security: draft.security,
    checksCertificate: draft.checksCertificate,
    settings,
  };
}

function missingSetting(protocol: Protocol, settings: Readonly<Record<string, string>>): RejectionReason | undefined {
  // A token takes the place of user and password.
  if (protocol === "tuic" && settings.token !== undefined) return undefined;
  if (settings.obfs === "salamander" && settings["obfs-password"] === undefined) return "missing-obfuscation-password";
  return required[protocol]?.find(([name]) => settings[name] === undefined)?.[1];
}

type Requirement = readonly [setting: string, reason: RejectionReason];

const password: Requirement = ["password", "missing-password"];
const userId: Requirement = ["uuid", "missing-user-id"];
const method: Requirement = ["method", "missing-method"];
const userName: Requirement = ["username", "missing-user-id"];

/** What a protocol cannot do without, as in share links. */
const required: Readonly<Partial<Record<Protocol, readonly Requirement[]>>> = {
  trojan: [password],
  vless: [userId],
  vmess: [userId],
  shadowsocks: [method, password],
  shadowsocksr: [method, password],
  tuic: [userId, password],
  wireguard: [
    ["privatekey", "missing-key"],
    ["publickey", "missing-peer-key"],
  ],
  anytls: [password],
  snell: [["psk", "missing-password"]],
  ssh: [userName],
  mieru: [userName, password],
};
