import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import { type ChildServer, startChildServer } from "./child-server.js";
import { type Filled, fillFolder, fillPostgres } from "./fill-messages.js";
import { freePort } from "./free-port.js";
import { median } from "./measure.js";
import { type PostgresCluster, startPostgres } from "./postgres-cluster.js";

/** A server under load, with the credentials of its caller. */
interface Peer {
  readonly name: string;
  readonly url: string;
  readonly authorization: string;
}

interface Load {
  readonly perSecond: number;
  /** The 99th percentile of the latency in milliseconds. */
  readonly p99: number;
}

const rounds = 3;

/**
 * The reference server compared with the Prism CLI, with a bare `node:http` server, with one that only reads pages (`chat-floor.ts`), and
 * with itself with a thousand times as many messages.
 */
export async function benchChatServer(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "accord-bench-"));
  const servers: ChildServer[] = [];
  let cluster: PostgresCluster | undefined;
  try {
    const fill = async (count: number) => {
      const data = join(folder, String(count));
      mkdirSync(data);
      return { data, ...(await fillFolder(data, count)) };
    };
    const [small, medium, large] = [await fill(1_000), await fill(100_000), await fill(1_000_000)];
    const start = async (args: readonly string[], port: number) => {
      const server = await startChildServer(args, `http://127.0.0.1:${port}/api/v1/server_settings`);
      servers.push(server);
      return server;
    };
    const serveFrom = async (name: string, authorization: string, ...place: string[]) => {
      const port = await freePort();
      const command = ["dist/reference/cli/main.js", "serve", "chat", "--port", String(port), ...place];
      const server = await start([...command, "--log-level", "error"], port);
      return { server, peer: { name, url: `http://127.0.0.1:${port}`, authorization } };
    };
    const serve = (name: string, { data, authorization }: Filled & { data: string }) =>
      serveFrom(name, authorization, "--data", data);

    const ours = await serve("reference", medium);
    const page = "/api/v1/messages?anchor=newest&num_before=20&num_after=0";
    const answer = join(folder, "page.json");
    writeFileSync(answer, await text(ours.peer, page));
    const [barePort, floorPort, prismPort] = [await freePort(), await freePort(), await freePort()];
    // A copy: the server has locked its own, and the edits would change what the floor reads.
    const copy = join(folder, "floor.db");
    copyFileSync(join(medium.data, "chat.db"), copy);
    await start(["--import", "tsx", "scripts/bench/bare-server.ts", String(barePort), answer], barePort);
    await start(["--import", "tsx", "scripts/bench/chat-floor.ts", String(floorPort), copy], floorPort);
    const prismCli = [
      "node_modules/@stoplight/prism-cli/dist/index.js",
      "mock",
      "-p",
      String(prismPort),
      "-v",
      "error",
    ];
    await start([...prismCli, "generated/chat/openapi.prism.json"], prismPort);
    const { authorization } = ours.peer;
    const bare = { name: "bare node:http", url: `http://127.0.0.1:${barePort}`, authorization };
    const floor = { name: "floor", url: `http://127.0.0.1:${floorPort}`, authorization };
    const prism = { name: "Prism CLI", url: `http://127.0.0.1:${prismPort}`, authorization };

    const rows = [`start to first answer, 100,000 messages: ${ours.server.startMilliseconds.toFixed(0)} ms`];
    const peers = [ours.peer, prism, bare];
    rows.push(...(await compareLoads("GET one page", peers, (peer) => load(peer, "GET", () => ({ path: page })))));
    let anchor = medium.first;
    const another = () => {
      anchor = medium.first + ((anchor + 7_919) % (medium.last - medium.first));
      return { path: `/api/v1/messages?anchor=${anchor}&num_before=10&num_after=9` };
    };
    rows.push(...(await compareLoads("GET any page", [...peers, floor], (peer) => load(peer, "GET", another))));
    let edits = 0;
    const edit = () => {
      edits++;
      // The reader sent every second message.
      const message = medium.last - 2 * (edits % ((medium.last - medium.first) / 2));
      return { path: `/api/v1/messages/${message}`, body: `content=edit+${edits}` };
    };
    rows.push(...(await compareLoads("PATCH", peers, (peer) => load(peer, "PATCH", edit))));
    cluster = await startPostgres({ durable: true });
    rows.push(...(await benchPostgres(await cluster.createDatabase("bench"), prism, serveFrom)));

    const few = await serve("1,000 messages", small);
    const many = await serve("1,000,000 messages", large);
    const narrow = (terms: object[]) => `narrow=${encodeURIComponent(JSON.stringify(terms))}`;
    // No messages follow the newest one, so these queries request the same page and all miss the cache.
    const newest = (time: number) => `anchor=newest&num_before=20&num_after=${time}`;
    const topic = narrow([
      { operator: "channel", operand: "channel 3" },
      { operator: "topic", operand: "topic 7" },
    ]);
    const search = narrow([{ operator: "search", operand: "report" }]);
    const pages: readonly [string, (time: number, filled: Filled) => string][] = [
      ["newest", newest],
      ["an id in the middle", (time, { middle }) => `anchor=${middle + time}&num_before=10&num_after=10`],
      ["a channel and topic", (time) => `${newest(time)}&${topic}`],
      ["a search", (time) => `${newest(time)}&${search}`],
    ];
    for (const [name, query] of pages) {
      const times = await interleaved(300, [
        (time) => text(few.peer, `/api/v1/messages?${query(time, small)}`),
        (time) => text(many.peer, `/api/v1/messages?${query(time, large)}`),
      ]);
      const [smallMs = 0, largeMs = 0] = times.map(median);
      const ratio = (largeMs / smallMs).toFixed(2);
      rows.push(
        `${name.padEnd(20)} ${smallMs.toFixed(2)} ms of 1,000, ${largeMs.toFixed(2)} ms of 1,000,000, ratio ${ratio}`,
      );
    }
    rows.push(`memory with 1,000,000 messages: ${many.server.memory().toFixed(0)} MiB`);
    return rows;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One server on PostgreSQL compared with Prism, and with three on the same database. */
async function benchPostgres(
  databaseUrl: string,
  prism: Peer,
  serve: (name: string, authorization: string, ...place: string[]) => Promise<{ readonly peer: Peer }>,
): Promise<string[]> {
  const filled = await fillPostgres(databaseUrl, 100_000);
  const start = async (name: string) => (await serve(name, filled.authorization, "--database", databaseUrl)).peer;
  const one = await start("PostgreSQL");
  const servers = [one, await start("second"), await start("third")];
  let anchor = filled.first;
  const another = () => {
    anchor = filled.first + ((anchor + 7_919) % (filled.last - filled.first));
    return { path: `/api/v1/messages?anchor=${anchor}&num_before=10&num_after=9` };
  };
  const all = { ...one, name: "three servers" };
  const measure = async (peer: Peer): Promise<Load> => {
    const loads = await Promise.all((peer === all ? servers : [peer]).map((each) => load(each, "GET", another)));
    return {
      perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0),
      p99: Math.max(...loads.map(({ p99 }) => p99)),
    };
  };
  return compareLoads("GET any page", [one, prism, all], measure);
}

async function text({ url, authorization }: Peer, path: string): Promise<string> {
  const response = await fetch(url + path, { headers: { Authorization: authorization } });
  if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`);
  return response.text();
}

/** Sends two seconds of load over ten connections; `next` creates each request. Throws if a request fails. */
async function load(
  { url, authorization, name }: Peer,
  method: "GET" | "PATCH",
  next: () => { readonly path: string; readonly body?: string },
): Promise<Load> {
  const headers = { Authorization: authorization, "Content-Type": "application/x-www-form-urlencoded" };
  const setupRequest = (request: autocannon.Request) => ({ ...request, ...next() });
  const requests = [{ method, headers, setupRequest }];
  const result = await autocannon({ url, connections: 10, duration: 2, requests });
  if (result.non2xx + result.errors > 0) throw new Error(`${name}: ${result.non2xx + result.errors} requests failed`);
  return { perSecond: result.requests.average, p99: result.latency.p99 };
}

/** Loads the peers in turn, so that a change in machine speed affects all of them, and reports the ratios to the first. */
async function compareLoads(
  what: string,
  peers: readonly Peer[],
  run: (peer: Peer) => Promise<Load>,
): Promise<string[]> {
  // The first load lets each peer compile its code.
  for (const peer of peers) await run(peer);
  const loads = peers.map((): Load[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, peer] of peers.entries()) loads[index]?.push(await run(peer));
  }
  const first = loads[0] ?? [];
  return peers.map(({ name }, index) => {
    const own = loads[index] ?? [];
    const ratio = median(first.map(({ perSecond }, round) => perSecond / (own[round]?.perSecond ?? Number.NaN)));
    const shown = index === 0 ? "" : `, ${peers[0]?.name}/${name} ${ratio.toFixed(2)}`;
    const rate = median(own.map(({ perSecond }) => perSecond)).toFixed(0);
    return `${what.padEnd(16)} ${name.padEnd(15)} ${rate.padStart(6)} requests/s, p99 ${median(own.map(({ p99 }) => p99))} ms${shown}`;
  });
}

/** Times calls in turn; returns milliseconds for each call. */
async function interleaved(times: number, calls: readonly ((time: number) => Promise<unknown>)[]): Promise<number[][]> {
  const measured = calls.map((): number[] => []);
  for (let time = 0; time < times; time++) {
    for (const [index, call] of calls.entries()) {
      const start = performance.now();
      await call(time);
      measured[index]?.push(performance.now() - start);
    }
  }
  return measured;
}
