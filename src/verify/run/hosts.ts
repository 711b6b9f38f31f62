import type { ServedHost } from "../../contract/served-host.js";
import { type HostRequest, type RunningHost, serveHost } from "./serve-host.js";

/** The hosts of a check. */
export interface Hosts {
  /** Starts a host, and returns the values that later steps refer to. */
  readonly serve: (host: ServedHost) => Promise<Readonly<Record<string, unknown>>>;
  /** Starts each host over, before a call. */
  readonly rewind: () => Promise<void>;
  readonly some: (test: (host: ServedHost) => boolean) => boolean;
  /** The number of requests to all hosts. */
  readonly count: () => number;
  readonly close: () => Promise<void>;
}

interface Served {
  readonly host: ServedHost;
  readonly running: RunningHost;
  /** The number of requests before the last call. */
  before: number;
}

/** Creates the hosts of a check; none runs yet. */
export function createHosts(): Hosts {
  const all: Served[] = [];
  return {
    serve: async (host) => {
      const running = await serveHost(host);
      const served: Served = { host, running, before: 0 };
      all.push(served);
      return {
        address: new URL(running.origin).host,
        get requests() {
          return distinct(running.requests.slice(served.before));
        },
        get count() {
          return running.requests.length;
        },
      };
    },
    rewind: async () => {
      for (const served of all) served.before = served.running.requests.length;
      await Promise.all(all.map(({ running }) => running.rewind()));
    },
    some: (test) => all.some(({ host }) => test(host)),
    count: () => all.reduce((sum, { running }) => sum + running.requests.length, 0),
    close: async () => {
      await Promise.all(all.map(({ running }) => running.close()));
    },
  };
}

/** Requests without repetitions, since a server may fetch a URL twice. */
function distinct(requests: readonly HostRequest[]): HostRequest[] {
  const key = ({ path, headers }: HostRequest) => `${path} ${headers.authorization ?? ""}`;
  return [...new Map(requests.map((request) => [key(request), request])).values()];
}
