import type { RejectionReason } from "../entry.js";
import type { ProxyNode, Security, Settings, Transport } from "../proxy-node.js";
import type { Protocol } from "./protocols.js";
import { readPort, readServer } from "./read-server.js";
import { cleanName } from "./text.js";

/** Maximum length of an entry in UTF-16 code units. */
export const maxEntryLength = 8_192;

/** An entry as its format writes it. Missing texts are empty. */
export interface Draft {
  readonly name: string;
  readonly server: string;
  readonly port: string;
  /** The name of the transport, and whether there is TLS, for protocols whose entries choose them. */
  readonly transport: string;
  readonly security: string;
  readonly settings: Settings;
}

/** Validates an entry. Returns its node, or the reason for rejecting it. */
export function readNode(protocol: Protocol, draft: Draft): ProxyNode | RejectionReason {
  const { settings } = draft;
  const missing = protocol.required?.find(
    (one) => (one.onlyWith === undefined || has(settings, one.onlyWith)) && !has(settings, one.settings),
  );
  if (missing !== undefined) return missing.reason;
  if (draft.server === "") return "missing-server";
  const server = readServer(draft.server);
  if (server === undefined) return "invalid-server";
  if (draft.port === "") return "missing-port";
  const port = readPort(draft.port, protocol.hasPortRanges);
  if (port === undefined) return "invalid-port";
  const transport = protocol.isWrapped ? transportOf(draft) : (protocol.transport ?? "tcp");
  if (transport === undefined) return "unknown-transport";
  const security = protocol.isWrapped ? securityOf(draft, protocol.security) : (protocol.security ?? "none");
  if (security === undefined) return "unknown-security";
  const checksCertificate = security === "none" || !insecure.some((name) => isOn(settings[name]));
  const name = cleanName(draft.name);
  return { protocol: protocol.name, name, server, port, transport, security, checksCertificate, settings };
}

/** The first of these settings that is not empty. */
export function first(settings: Settings, names: readonly string[]): string {
  return settings[names.find((name) => (settings[name] ?? "") !== "") ?? ""] ?? "";
}

function has(settings: Settings, names: readonly string[]): boolean {
  return first(settings, names) !== "";
}

/** Whether a setting is on: `1`, or `true` in any case. */
export function isOn(value = ""): boolean {
  return value === "1" || value.toLowerCase() === "true";
}

const insecure = ["allowInsecure", "insecure", "allow_insecure", "skip-cert-verify", "tls.insecure"];
const realityKeys = ["pbk", "reality-opts.public-key"];

/** Plain TCP without a name; with an HTTP header, it is HTTP. */
function transportOf({ transport, settings }: Draft): Transport | undefined {
  const found = transports.get(transport.toLowerCase());
  return found === "tcp" && settings.headerType === "http" ? "http" : found;
}

const transports: ReadonlyMap<string, Transport> = new Map([
  ...["", "tcp", "raw"].map((name) => [name, "tcp"] as const),
  ...["ws", "websocket"].map((name) => [name, "websocket"] as const),
  ...["grpc", "gun"].map((name) => [name, "grpc"] as const),
  ...["http", "h2"].map((name) => [name, "http"] as const),
  ...["xhttp", "splithttp"].map((name) => [name, "xhttp"] as const),
  ...["kcp", "mkcp"].map((name) => [name, "kcp"] as const),
  ["httpupgrade", "httpupgrade"],
  ["quic", "quic"],
]);

/** A public key of REALITY implies REALITY, unless there is no TLS. */
function securityOf({ security, settings }: Draft, usual: Security = "none"): Security | undefined {
  const isReality = has(settings, realityKeys) || isOn(settings["tls.reality.enabled"]);
  const written = security.toLowerCase();
  if (written === "") return isReality ? "reality" : usual;
  if (["none", "false", "0"].includes(written)) return "none";
  if (["tls", "true", "1"].includes(written)) return isReality ? "reality" : "tls";
  return written === "reality" ? "reality" : undefined;
}
