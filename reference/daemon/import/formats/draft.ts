import type { Entry, RejectionReason } from "../entry.js";
import type { Protocol, ProxyNode, Security, Transport } from "../proxy-node.js";
import { cleanName } from "../schemes/link-text.js";
import { maxEntryLength, shownScheme } from "../schemes/parse-link.js";
import { readEndpoint, readPorts } from "../schemes/read-endpoint.js";
import { type Fields, isFields, textOf } from "./fields.js";

/** A node as read from a format, not yet validated. Missing texts are empty. */
export interface Draft {
  readonly protocol: Protocol;
  readonly name: string;
  readonly server: string;
  readonly port: string;
  /** Undefined if the transport is unknown. */
  readonly transport: Transport | undefined;
  readonly security: Security;
  readonly checksCertificate: boolean;
  /** Named as in share links; see `schemes/`. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Validates a draft. Returns the node, or a rejection with the reason. */
export function finishDraft(draft: Draft): ProxyNode | RejectionReason {
  const settings: Record<string, string> = {};
  let length = 0;
  for (const name of Object.keys(draft.settings)) {
    const value = draft.settings[name] ?? "";
    if (value === "") continue;
    settings[name] = value;
    length += value.length;
  }
  if (length > maxEntryLength) return "too-long";
  const missing = missingSetting(draft.protocol, settings);
  if (missing !== undefined) return missing;
  const several = settings.ports;
  const defaultPort = several === undefined ? undefined : readPorts(several);
  if (several !== undefined && defaultPort === undefined) return "invalid-port";
  const endpoint = readEndpoint({ host: draft.server.trim(), port: draft.port.trim() }, defaultPort);
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
  // A token replaces user and password.
  if (protocol === "tuic" && settings.token !== undefined) return undefined;
  if (settings.obfs === "salamander" && settings["obfs-password"] === undefined) return "missing-obfuscation-password";
  return required[protocol]?.find(([name]) => settings[name] === undefined)?.[1];
}

type Requirement = readonly [setting: string, reason: RejectionReason];

const password: Requirement = ["password", "missing-password"];
const userId: Requirement = ["uuid", "missing-user-id"];
const method: Requirement = ["method", "missing-method"];
const userName: Requirement = ["username", "missing-user-id"];

/** The settings that a protocol requires, as in share links. */
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

/** Reads the elements of a list. Rejects only the elements that are not objects. */
export function* readObjects(
  elements: readonly unknown[],
  read: (fields: Fields) => Entry | undefined,
): Generator<Entry> {
  for (const element of elements) {
    const entry: Entry | undefined = isFields(element)
      ? read(element)
      : { kind: "rejected", scheme: "", reason: "undecodable" };
    if (entry !== undefined) yield entry;
  }
}

/** The readers of the objects of a format, by `type`. */
export interface ProxyTypes {
  readonly readers: ReadonlyMap<string, (fields: Fields) => Draft>;
  /** Types that are not proxies: groups that choose a proxy, and direct or blocked connections. */
  readonly skippedTypes: ReadonlySet<string>;
}

/** Reads an object by its `type`. Undefined if it is not a proxy. A rejection contains only the type. */
export function readTyped(fields: Fields, { readers, skippedTypes }: ProxyTypes): Entry | undefined {
  const written = textOf(fields, "type");
  const type = written.toLowerCase();
  if (skippedTypes.has(type)) return undefined;
  const reader = readers.get(type);
  if (reader === undefined) return { kind: "rejected", scheme: shownScheme(written), reason: "unknown-type" };
  const result = finishDraft(reader(fields));
  return typeof result === "string"
    ? { kind: "rejected", scheme: type, reason: result }
    : { kind: "node", node: result };
}

/** Formats a Shadowsocks plugin as in SIP003: `name;option=value`. Empty without a plugin. */
export function pluginText(name: string, options: string): string {
  if (name === "") return "";
  const pluginName = name === "simple-obfs" || name === "obfs" ? "obfs-local" : name;
  return options === "" ? pluginName : `${pluginName};${options}`;
}
