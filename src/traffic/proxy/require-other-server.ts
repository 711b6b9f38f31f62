import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import type { ListenOptions } from "../../base/listen.js";
import { CouldNotRunError } from "../../verify/could-not-run-error.js";

/** Addresses that stand for every address of this machine. */
const unspecified: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** Rejects with a `CouldNotRunError` if a proxy that listens there would forward to itself. */
export async function requireOtherServer(
  origin: string,
  { host = "127.0.0.1", port = 0 }: ListenOptions,
): Promise<void> {
  const { hostname, port: given, protocol } = new URL(origin);
  if (port === 0 || port !== Number(given || (protocol === "https:" ? 443 : 80))) return;
  const [target, own] = await Promise.all([hostname.replace(/^\[|\]$/g, ""), host].map(addressesOf));
  if (!target?.some((one) => own?.includes(one))) return;
  throw new CouldNotRunError(
    `The proxy would forward to itself, because it listens at ${origin}. Correct the URL of the server, or choose another --port`,
  );
}

/** The addresses of a name. Those of this machine for an unspecified address; none if the name does not resolve. */
async function addressesOf(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true }).catch(() => []);
  return found.flatMap(({ address }) => (unspecified.has(address) ? [address, ...ownAddresses()] : address));
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
}
