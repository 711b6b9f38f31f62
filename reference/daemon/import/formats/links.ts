import { percentDecode } from "../../../../src/base/percent-decode.js";
import type { Entry, RejectionReason } from "../entry.js";
import type { ProxyNode, Settings } from "../proxy-node.js";
import { readVmessJson } from "./objects.js";
import { type Protocol, protocolOfScheme } from "./protocols.js";
import { isOn, maxEntryLength, readNode } from "./read-node.js";
import { decodeBase64, shownScheme } from "./text.js";

/** Parses a share link. Never throws. A rejection contains only the scheme of the line. */
export function parseLink(line: string): Entry {
  const link = line.trim();
  const [start = "", written = ""] = /^([a-z][a-z0-9+.-]{0,29}):\/\//i.exec(link) ?? [];
  const name = written.toLowerCase();
  const protocol = protocolOfScheme.get(name);
  const isNested = name === "http" || name === "https";
  const scheme = protocol !== undefined || isNested ? name : shownScheme(written);
  const rejected = (reason: RejectionReason): Entry => ({ kind: "rejected", scheme, reason });
  if (link.length > maxEntryLength) return rejected("too-long");
  if (start === "") return rejected("undecodable");
  // Never followed, because the author of the list could then choose which hosts this daemon calls.
  if (isNested) return rejected("nested-subscription");
  if (protocol === undefined) return rejected("unknown-scheme");
  const node = readLink(protocol, splitLink(link.slice(start.length)));
  return typeof node === "string" ? rejected(node) : { kind: "node", node };
}

/** The parts of a link after `://`, still encoded. Missing parts are empty. */
interface Link {
  /** Everything before the parameters. */
  readonly main: string;
  readonly query: string;
  readonly fragment: string;
}

/** `URL` cannot split share links: it rejects ranges of ports, and cuts base64 at a `/`. */
function splitLink(rest: string): Link {
  const [, main = "", query = "", fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(rest) ?? [];
  return { main, query, fragment };
}

function readLink(protocol: Protocol, { main, query, fragment }: Link): ProxyNode | RejectionReason {
  const name = percentDecode(fragment);
  if (protocol.name === "shadowsocksr") return readShadowsocksR(protocol, decodeBase64(main));
  if (protocol.name === "vmess" && !main.includes("@")) return readVmessJson(protocol, decodeBase64(main), name);
  const isWord = protocol.isBase64 === true && !/[@:.]/.test(main);
  const decoded = isWord ? decodeBase64(percentDecode(main.replace(/\/$/, ""))) : undefined;
  const isEncoded = decoded?.includes(":") === true;
  if (hidesPassword(protocol, main, query + fragment) || (isWord && !isEncoded && main.length > maxWordLength))
    return "undecodable";
  const authority = isEncoded ? decoded : main;
  const at = authority.lastIndexOf("@");
  const settings = parameters(query);
  addUserinfo(settings, protocol, authority.slice(0, Math.max(at, 0)), isEncoded ? String : percentDecode);
  const { server, port } = splitAddress(authority.slice(at + 1));
  const ranges = protocol.hasPortRanges ? (settings.mport ?? settings.port) : undefined;
  return readNode(protocol, {
    ...{ name, server, settings, port: port || (ranges ?? String(protocol.defaultPort ?? "")) },
    ...{ transport: settings.type ?? (isOn(settings.ws) ? "ws" : ""), security: settings.security ?? "" },
  });
}

/** A longer word may be base64 that cannot be decoded, which would show a password as the server. */
const maxWordLength = 15;

/** A bare `#` or `?` in a password cuts a link in two, so that the first half of the password looks like the server. */
function hidesPassword({ userinfo }: Protocol, main: string, rest: string): boolean {
  return userinfo !== undefined && !main.includes("@") && /@[^\s@]+[.:]/.test(rest);
}

/** If a parameter is repeated, the first one counts. Base64 may contain `+`. */
function parameters(query: string): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query.replaceAll("+", "%2B")))
    if (value !== "") settings[name] ??= value;
  return settings;
}

/** Adds the settings in a userinfo, which take precedence. Some programs encode its colon, or write it in base64. */
function addUserinfo(
  settings: Record<string, string>,
  { userinfo: [name, next] = [], isBase64 }: Protocol,
  written: string,
  decode: (text: string) => string,
): void {
  if (name === undefined || written === "") return;
  if (next === undefined) {
    settings[name] = decode(written);
    return;
  }
  const plain = decode(written);
  const isSplit = written.includes(":");
  const text = isSplit ? written : ((isBase64 && !plain.includes(":") ? decodeBase64(plain) : undefined) ?? plain);
  const [, user = "", password = ""] = /^([^:]*):?(.*)$/s.exec(text)?.map(isSplit ? decode : String) ?? [];
  if (user !== "") settings[name] = user;
  if (password !== "") settings[next] = password;
}

/** Splits `host:port`, which a path may follow. IPv6 addresses have brackets. */
function splitAddress(text: string): { readonly server: string; readonly port: string } {
  const [, server = text, port = ""] = /^(\[[^\]]*\]|[^:/]*)(?::([^/]*))?(?:\/.*)?$/s.exec(text) ?? [];
  return { server: percentDecode(server), port };
}

/**
 * ShadowsocksR: base64 of `host:port:protocol:method:obfs:password/?obfsparam=…&remarks=…`, in which the password and
 * the parameters are themselves base64. The host can be an IPv6 address without brackets.
 */
function readShadowsocksR(protocol: Protocol, decoded = ""): ProxyNode | RejectionReason {
  const parts = /^(.*):([^:]*):([^:]*):([^:]*):([^:]*):([^:/]*)(?:\/\?(.*))?$/s.exec(decoded);
  if (parts === null) return "undecodable";
  const [, server = "", port = "", variant = "", method = "", obfs = "", encoded = "", query = ""] = parts;
  const password = encoded === "" ? "" : decodeBase64(encoded);
  if (password === undefined) return "undecodable";
  const others = Object.entries(parameters(query)).map(([name, value]) => [name, decodeBase64(value) ?? ""] as const);
  const settings: Settings = { ...Object.fromEntries(others), protocol: variant, method, obfs, password };
  return readNode(protocol, { name: settings.remarks ?? "", server, port, transport: "", security: "", settings });
}
