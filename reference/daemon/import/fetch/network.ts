import { lookup } from "node:dns/promises";

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
