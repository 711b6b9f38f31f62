import { percentDecode } from "../../../../src/percent-decode.js";
import type { Security, Transport } from "../proxy-node.js";

/** Settings that are still being collected. */
export type Settings = Record<string, string>;

/** The parameters of a scheme, with the name of the setting for each. */
export type KnownParameters = ReadonlyMap<string, string>;

/** Maps each parameter in `names` to the setting of the same name, and each one in `others` to the setting given there. */
export function knownParameters(
  names: readonly string[],
  others: Readonly<Record<string, string>> = {},
): KnownParameters {
  return new Map([...names.map((name) => [name, name] as const), ...Object.entries(others)]);
}

const wrappingNames = [
  ...(["type", "ws", "security"] as const),
  ...(["allowInsecure", "insecure", "allow_insecure", "skip-cert-verify"] as const),
];

/**
 * The parameters of transport and security. They do not become settings, because a node has separate fields for them.
 */
export type Wrapping = Readonly<Partial<Record<(typeof wrappingNames)[number], string>>>;

const wrappingParameters = new Map(wrappingNames.map((name) => [name as string, name]));

/**
 * Parses `name=value&name=value`. Adds the known parameters to the settings, and returns those of transport and
 * security. Names are case-sensitive. A value starts after the first `=`, because base64 may contain more. Empty values
 * are ignored. If several parameters mean the same setting, the first one counts; existing settings stay.
 */
export function readQuery(query: string, known: KnownParameters, settings: Settings): Wrapping {
  const wrapping: { -readonly [Name in keyof Wrapping]: string } = {};
  let start = 0;
  while (start < query.length) {
    const ampersand = query.indexOf("&", start);
    const end = ampersand < 0 ? query.length : ampersand;
    const parameter = query.slice(start, end);
    start = end + 1;
    const equals = parameter.indexOf("=");
    if (equals < 0 || equals + 1 === parameter.length) continue;
    const name = parameter.slice(0, equals);
    const setting = known.get(name);
    if (setting !== undefined) {
      settings[setting] ??= percentDecode(parameter.slice(equals + 1));
      continue;
    }
    const wrappingName = wrappingParameters.get(name);
    if (wrappingName !== undefined) wrapping[wrappingName] ??= percentDecode(parameter.slice(equals + 1));
  }
  return wrapping;
}

/** Reads `security`. A REALITY public key (`pbk`) implies REALITY. Undefined if the security is unknown. */
export function readSecurity(
  { security }: Wrapping,
  { pbk }: Readonly<Settings>,
  defaultSecurity: Security,
): Security | undefined {
  switch (security?.toLowerCase()) {
    case "none":
      return "none";
    case undefined:
      return pbk === undefined ? defaultSecurity : "reality";
    case "tls":
      return pbk === undefined ? "tls" : "reality";
    case "reality":
      return "reality";
    default:
      return undefined;
  }
}

/**
 * Reads `type` and `headerType` of V2Ray, Xray and Trojan links, or the older `ws=1` of Trojan links. Undefined if the
 * transport is unknown.
 */
export function readTransport({ type, ws }: Wrapping, { headerType }: Readonly<Settings>): Transport | undefined {
  if (type === undefined) return isOn(ws) ? "websocket" : transportOf("", headerType);
  return transportOf(type, headerType);
}

/** Returns the transport of this name, such as `ws`. An empty name is TCP, and TCP with an HTTP header is HTTP. */
export function transportOf(name: string, headerType: string | undefined): Transport | undefined {
  const transport = transports.get(name) ?? transports.get(name.toLowerCase());
  return transport === "tcp" && headerType === "http" ? "http" : transport;
}

const transports: ReadonlyMap<string, Transport> = new Map([
  ["", "tcp"],
  ["tcp", "tcp"],
  ["raw", "tcp"],
  ["ws", "websocket"],
  ["websocket", "websocket"],
  ["grpc", "grpc"],
  ["gun", "grpc"],
  ["http", "http"],
  ["h2", "http"],
  ["httpupgrade", "httpupgrade"],
  ["xhttp", "xhttp"],
  ["splithttp", "xhttp"],
  ["kcp", "kcp"],
  ["mkcp", "kcp"],
  ["quic", "quic"],
]);

/** Whether the certificate of the server is checked: yes, unless a parameter turns the check off. */
export function checksCertificate(wrapping: Wrapping): boolean {
  const { allowInsecure, insecure, allow_insecure, "skip-cert-verify": skipVerify } = wrapping;
  return !(isOn(allowInsecure) || isOn(insecure) || isOn(allow_insecure) || isOn(skipVerify));
}

/** Whether a parameter is on: `1`, or `true` in any case. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && (value === "1" || value.toLowerCase() === "true");
}
