import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { FetchFailure } from "./fetch-failure.js";

/** The addresses of a host. The connection uses the first one that accepts it. */
export interface Target {
  /** IP addresses; at least one. */
  readonly addresses: readonly string[];
  readonly port: number;
}

/** The network that a fetch uses. Tests replace it to serve names and addresses of the internet themselves. */
export interface Network {
  /** Resolves a host name to IP addresses. Rejects if the name does not exist. */
  readonly resolve: (hostname: string) => Promise<readonly string[]>;
  /** Returns where to connect for a checked target: the target itself, except in tests. */
  readonly connectTo: (target: Target) => Target;
  /** Certificates to trust instead of the default ones, in PEM. */
  readonly ca?: string;
}

/** The network of this machine. Names are resolved by the system, including `/etc/hosts`. */
export const systemNetwork: Network = {
  resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
  connectTo: (target) => target,
};

/** Returns the host of a URL, without brackets, if it is an IP address; undefined if it is a name. */
export function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(bare) === 0 ? undefined : bare;
}

/**
 * Finds the allowed addresses of the host of a URL: all with `allowPrivate`, otherwise only public ones. Connect to one
 * of them without resolving the name again, because it may resolve to another address then.
 *
 * If a name has public and private addresses, only the public ones are used, which every user of the internet can
 * reach.
 *
 * Throws `unresolved`, or `notPublic` if no address is allowed.
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

/** The range of global unicast IPv6 addresses (RFC 4291, IANA "IPv6 Global Unicast Address Assignments"). */
const globalUnicast = ipaddr.IPv6.parse("2000::");
/**
 * The prefix with which a NAT64 gateway maps IPv4 addresses (RFC 6052). IPv6-only networks reach every IPv4 host
 * through it.
 */
const nat64 = ipaddr.IPv6.parse("64:ff9b::");
/**
 * The address of Azure's agent on each virtual machine, comparable to 169.254.169.254 elsewhere. IANA does not reserve
 * it.
 */
const azureAgent = "168.63.129.16";

/**
 * Whether an IP address is public: not loopback, private, link-local, shared, multicast, reserved, for documentation,
 * or the address of a cloud agent.
 *
 * IPv4-mapped and NAT64 addresses count as the IPv4 address that they contain. The obsolete 6to4 and Teredo are never
 * public, and neither is text that is not an IP address.
 */
export function isPublicAddress(address: string): boolean {
  // The library parses ::127.0.0.1 as ::ffff:127.0.0.1, and plain numbers as addresses.
  if (isIP(address) === 0 || /^::\d+\./.test(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === "unicast" && parsed.toString() !== azureAgent;
  if (parsed.isIPv4MappedAddress()) return isPublicAddress(parsed.toIPv4Address().toString());
  if (parsed.match(nat64, 96)) return isPublicAddress(parsed.toByteArray().slice(12).join("."));
  // The library reports "unicast" for every address outside of special ranges, such as ::7f00:1.
  return parsed.range() === "unicast" && parsed.match(globalUnicast, 3);
}
