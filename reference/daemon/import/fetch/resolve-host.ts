import { isIP } from "node:net";
import { FetchFailure } from "./fetch-failure.js";
import { isPublicAddress } from "./is-public-address.js";
import type { Network, Target } from "./network.js";

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
