import type { Entry, RejectionReason } from "../entry.js";
import type { ProxyNode, Settings } from "../proxy-node.js";
import { type Protocol, protocolOfType } from "./protocols.js";
import { first, isOn, maxEntryLength, readNode } from "./read-node.js";
import { shownScheme } from "./text.js";

/** An object in a subscription. Its members may have any type, because programs differ. */
type Fields = Readonly<Record<string, unknown>>;

/** The names of fields in the objects of a format. Of several, the first that an object has counts. */
interface ObjectForm {
  readonly name: readonly string[];
  readonly server: readonly string[];
  readonly port: readonly string[];
  readonly transport: readonly string[];
  readonly security: (settings: Settings, protocol: Protocol) => string;
}

/** The objects of a format, and how to read them. */
export interface Objects {
  readonly elements: readonly unknown[];
  readonly form: ObjectForm;
  /** The type of objects that have none. */
  readonly onlyType?: string;
  /** Types that are not proxies: groups that choose a proxy, and direct or blocked connections. */
  readonly skippedTypes?: readonly string[];
}

/** https://wiki.metacubex.one/en/config/proxies/. A WireGuard proxy may have its server in a list of peers. */
const clash: ObjectForm = {
  name: ["name"],
  server: ["server", "peers.server"],
  port: ["port", "peers.port", "ports", "mport", "port-range"],
  transport: ["network"],
  security: ({ tls = "" }, { security }) => (security === "tls" ? "" : tls),
};

/** https://sing-box.sagernet.org/configuration/outbound/. WireGuard is an endpoint with peers. */
const singBox: ObjectForm = {
  name: ["tag"],
  server: ["server", "peers.address"],
  port: ["server_port", "peers.port", "server_ports"],
  transport: ["transport.type"],
  security: (settings) => (isOn(settings["tls.enabled"]) ? "tls" : "none"),
};

/** https://shadowsocks.org/doc/sip008.html */
const sip008: ObjectForm = { ...singBox, name: ["remarks"] };

/** https://github.com/2dust/v2rayN/wiki/Description-of-VMess-share-link */
const vmessJson: ObjectForm = {
  name: ["ps"],
  server: ["add"],
  port: ["port"],
  transport: ["net"],
  security: ({ tls = "" }) => tls,
};

/** Finds the list of servers in a SIP008 document. Undefined for any other document. */
export function sip008In(document: unknown): Objects | undefined {
  if (!isFields(document) || document.version === undefined || !Array.isArray(document.servers)) return undefined;
  return { elements: document.servers, form: sip008, onlyType: "shadowsocks" };
}

/** Finds the outbounds of sing-box. Undefined for any other document; those of Xray have no `type`. */
export function singBoxIn(document: unknown): Objects | undefined {
  if (!isFields(document)) return undefined;
  const elements = [document.outbounds, document.endpoints].filter((list) => Array.isArray(list)).flat();
  if (!elements.some((element) => isFields(element) && typeof element.type === "string")) return undefined;
  return { elements, form: singBox, skippedTypes: ["direct", "block", "dns", "selector", "urltest", "tor"] };
}

/** Finds the proxies of Clash, in older versions in `Proxy`. Undefined for any other document. */
export function clashIn(document: unknown): Objects | undefined {
  if (!isFields(document)) return undefined;
  const elements = document.proxies === undefined ? document.Proxy : document.proxies;
  if (elements !== null && !Array.isArray(elements)) return undefined;
  return { elements: elements ?? [], form: clash, skippedTypes: ["direct", "dns", "reject"] };
}

/** Reads objects. Rejects only the elements that are invalid. */
export function* readObjects({ elements, form, onlyType, skippedTypes = [] }: Objects): Generator<Entry> {
  for (const element of elements) {
    const written = isFields(element) ? scalarText(element.type) : "";
    const type = written.toLowerCase();
    if (skippedTypes.includes(type)) continue;
    const protocol = protocolOfType.get(onlyType ?? type);
    const scheme = onlyType !== undefined ? "" : protocol === undefined ? shownScheme(written) : type;
    const node = !isFields(element)
      ? "undecodable"
      : ((protocol && readObject(protocol, element, form)) ?? "unknown-type");
    yield typeof node === "string" ? { kind: "rejected", scheme, reason: node } : { kind: "node", node };
  }
}

/** Reads the JSON of a VMess link. A link may have a name besides. */
export function readVmessJson(protocol: Protocol, json: string | undefined, name: string): ProxyNode | RejectionReason {
  try {
    const fields: unknown = JSON.parse(json ?? "");
    return isFields(fields) ? readObject(protocol, { ps: name, ...fields }, vmessJson) : "undecodable";
  } catch {
    // The error quotes the text, so it is dropped.
    return "undecodable";
  }
}

function readObject(protocol: Protocol, fields: Fields, form: ObjectForm): ProxyNode | RejectionReason {
  const settings = settingsOf(fields);
  if (settings === undefined) return "too-long";
  return readNode(protocol, {
    name: first(settings, form.name),
    server: first(settings, form.server).trim(),
    port: first(settings, form.port).trim(),
    transport: first(settings, form.transport),
    security: form.security(settings, protocol),
    settings,
  });
}

const maxDepth = 3;
/** Bounds the number of settings. An alias can repeat an object with thousands of them. */
const minSettingLength = 32;
const maxListLength = 64;

/**
 * Flattens an object: `{ws-opts: {path: /}, alpn: [h2, h3]}` becomes `{ws-opts.path: /, alpn: h2,h3}`. Of a list of
 * objects, takes the first. Undefined if it is too long; aliases in YAML can make a small document very large.
 */
function settingsOf(fields: Fields): Settings | undefined {
  const settings: Record<string, string> = {};
  let left = maxEntryLength;
  function add(part: Fields, path: string, depth: number): void {
    for (const key of Object.keys(part)) {
      const [name, value] = [path + key, part[key]];
      const list: readonly unknown[] = Array.isArray(value) ? value.slice(0, maxListLength) : [value];
      const text = list.map(scalarText).filter(Boolean).join(",");
      left -= name.length + text.length + minSettingLength;
      if (left < 0) return;
      if (text !== "") settings[name] = text;
      if (isFields(list[0]) && depth < maxDepth) add(list[0], `${name}.`, depth + 1);
    }
  }
  add(fields, "", 1);
  return left < 0 ? undefined : settings;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function scalarText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}
