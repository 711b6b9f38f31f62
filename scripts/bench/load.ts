import autocannon from "autocannon";

/** What a server did under load. */
export interface Load {
  readonly perSecond: number;
  /** The 99th percentile of the latency in milliseconds. */
  readonly p99: number;
}

/** A server under load. */
export interface Peer {
  readonly name: string;
  readonly run: () => Promise<Load>;
}

const rounds = 3;

/** Sends two seconds of load to a server; `next` creates each request. Throws if a request fails. */
export async function load(
  url: string,
  authorization: string,
  next: () => autocannon.Request,
  connections = 10,
): Promise<Load> {
  const headers = { Authorization: authorization, "Content-Type": "application/x-www-form-urlencoded" };
  const setupRequest = (request: autocannon.Request) => ({ ...request, ...next() });
  const requests = [{ headers, setupRequest }];
  const { requests: sent, latency, non2xx, errors } = await autocannon({ url, connections, duration: 2, requests });
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx + errors} requests failed`);
  return { perSecond: sent.average, p99: latency.p99 };
}

/**
 * Loads the peers in turn, so that a change in machine speed affects all of them. Returns a row for each, with the median of the ratios of
 * the first peer to it, which is the figure to quote.
 */
export async function compareLoads(what: string, peers: readonly Peer[]): Promise<string[]> {
  // The first load lets each peer compile its code.
  for (const { run } of peers) await run();
  const loads = peers.map((): Load[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { run }] of peers.entries()) loads[index]?.push(await run());
  }
  const [first = []] = loads;
  return peers.map(({ name }, index) => {
    const own = loads[index] ?? [];
    const ratio = median(first.map(({ perSecond }, round) => perSecond / (own[round]?.perSecond ?? Number.NaN)));
    const shown = index === 0 ? "" : `, ${peers[0]?.name}/${name} ${ratio.toFixed(2)}`;
    const rate = median(own.map(({ perSecond }) => perSecond)).toFixed(0);
    const p99 = median(own.map((one) => one.p99));
    return `${what.padEnd(20)} ${name.padEnd(15)} ${rate.padStart(6)} requests/s, p99 ${p99} ms${shown}`;
  });
}

/** Returns the median. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
