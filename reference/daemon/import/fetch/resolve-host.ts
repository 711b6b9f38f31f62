import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { FetchFailure } from "./fetch-failure.js";

/** Addresses that a connection may go to, of which the first that answers is taken. */
export interface Target {
  /** IP addresses; at least one. */
  readonly addresses: readonly string[];
  readonly port: number;
}

/** What a fetch needs from outside. Tests put servers of their own behind names and addresses of the internet. */
export interface Network {
  /** Gives the IP addresses of a host name. Rejects when there is no such name. */
  readonly resolve: (hostname: string) => Promise<readonly string[]>;
  /** Where a connection goes whose target was checked: there, but for tests. */
  readonly connectTo: (target: Target) => Target;
  /** Certificates to trust in place of the usual ones, in PEM. */
  readonly ca?: string;
}

/** The network of this machine. Names are resolved as everywhere on it, so `/etc/hosts` counts. */
export const systemNetwork: Network = {
  resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
  connectTo: (target) => target,
};

/** Whether a host is an IP address, once its brackets are removed. */
export function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(bare) === 0 ? undefined : bare;
}

/**
 * Finds the addresses of the host of a URL that may be asked; without `allowPrivate` only those of the internet. The connection
 * must go to one of them, without another look-up: a name may lead elsewhere the next time.
 *
 * A name with public and private addresses is reached at the public ones: they are what anybody on the internet reaches under
 * that name, and the private ones are simply never asked.
 *
 * Throws `unresolved`, or `notPublic` when no address is left.
 */
export async function resolveHost(
  url: URL,
  network: Network,
  allowPrivate: boolean,
  notPublic: "not-public" | "redirect-not-public",
): Promise<Target> {
  const literal = literalAddress(url);
  const all = literal === undefined ? await addressesOf(url.hostname, network) : [literal];
  const addresses = allowPrivate ? all : all.filter(isPublicAddress);
  if (addresses.length === 0) throw new FetchFailure(notPublic);
  return { addresses, port: portOf(url) };
}

async function addressesOf(hostname: string, network: Network): Promise<readonly string[]> {
  const found = await network.resolve(hostname).catch(() => []);
  const addresses = found.filter((address) => isIP(address) !== 0);
  if (addresses.length === 0) throw new FetchFailure("unresolved");
  return addresses;
}

function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

/** Where IPv6 addresses of the internet are (RFC 4291, IANA "IPv6 Global Unicast Address Assignments"). */
const globalUnicast = ipaddr.IPv6.parse("2000::");
/** The prefix behind which a NAT64 gateway reaches IPv4 (RFC 6052). In an IPv6-only network every IPv4 host is behind it. */
const nat64 = ipaddr.IPv6.parse("64:ff9b::");
/** Where Azure's agent answers each virtual machine, like 169.254.169.254 elsewhere, though IANA lists nothing of the sort. */
const azureAgent = "168.63.129.16";

/**
 * Whether an IP address is one of the internet: neither loopback, private, link-local, shared, multicast, reserved, for documentation
 * nor that of a cloud's agent.
 *
 * An IPv6 address that stands for an IPv4 address counts as that address when it is IPv4-mapped or NAT64; 6to4 and Teredo, which
 * nobody needs any more, are never public. What is no IP address is not public either.
 */
export function isPublicAddress(address: string): boolean {
  // The library takes ::127.0.0.1 for ::ffff:127.0.0.1, and numbers alone for addresses.
  if (isIP(address) === 0 || /^::\d+\./.test(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === "unicast" && parsed.toString() !== azureAgent;
  if (parsed.isIPv4MappedAddress()) return isPublicAddress(parsed.toIPv4Address().toString());
  if (parsed.match(nat64, 96)) return isPublicAddress(parsed.toByteArray().slice(12).join("."));
  // The library calls every address without a special range unicast, such as ::7f00:1.
  return parsed.range() === "unicast" && parsed.match(globalUnicast, 3);
}
