import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadContract } from "../../src/chat/contract.js";
import { formatContract } from "../../src/contract/rest/contract-file.js";
import { prismProfile } from "../../src/contract/rest/profiles/prism-profile.js";
import { type Filled, fillFolder, fillPostgres } from "./fill-messages.js";
import { compareLoads, load, median, type Peer } from "./load.js";
import { startPostgres } from "./postgres-cluster.js";
import { accord, type Bench, type BenchServer, withServers } from "./servers.js";

/**
 * The reference server compared with the Prism CLI, with a bare `node:http` server, with one that only reads pages (`chat-floor.ts`), and
 * with itself with a thousand times as many messages.
 */
export async function benchChatServer(): Promise<string[]> {
  return [...(await withServers(compareWithPeers)), ...(await comparePostgres()), ...(await withServers(compareSizes))];
}

async function servePrism({ folder, start }: Bench): Promise<BenchServer> {
  const prism = "node_modules/@stoplight/prism-cli/dist/index.js";
  const document = join(folder, "chat.prism.json");
  writeFileSync(document, formatContract(prismProfile(await loadContract()), "json"));
  return start((port) => [prism, "mock", "-p", port, "-v", "error", document]);
}

interface FilledServer {
  readonly server: BenchServer;
  readonly filled: Filled;
  /** Its data folder. */
  readonly data: string;
}

async function serveFilled({ folder, start }: Bench, count: number): Promise<FilledServer> {
  const data = join(folder, String(count));
  mkdirSync(data);
  const filled = await fillFolder(data, count);
  return { server: await serve(start, "--data", data), filled, data };
}

function serve(start: Bench["start"], ...place: readonly string[]): Promise<BenchServer> {
  return start((port) => [accord, "serve", "chat", "--port", port, "--log-level", "error", ...place]);
}

async function compareWithPeers(bench: Bench): Promise<string[]> {
  const prism = await servePrism(bench);
  const { server, filled, data } = await serveFilled(bench, 100_000);
  const { authorization, first, last } = filled;
  const page = join(bench.folder, "page.json");
  writeFileSync(page, await read(server.url, filled, "anchor=newest&num_before=20&num_after=0"));
  const bare = await bench.start((port) => ["--import", "tsx", "scripts/bench/bare-server.ts", port, page]);
  // A copy: the server has locked its own, and the edits would change what the floor reads.
  const copy = join(bench.folder, "floor.db");
  copyFileSync(join(data, "chat.db"), copy);
  const floor = await bench.start((port) => ["--import", "tsx", "scripts/bench/chat-floor.ts", port, copy]);
  const peers: Readonly<Record<string, BenchServer>> = {
    reference: server,
    "Prism CLI": prism,
    "bare node:http": bare,
  };
  const another = anyPage(filled);
  let edits = 0;
  const edit = () => {
    edits++;
    // The reader sent every second message.
    const path = `/api/v1/messages/${last - 2 * (edits % ((last - first) / 2))}`;
    return { method: "PATCH" as const, path, body: `content=edit+${edits}` };
  };
  const peersOf = (servers: typeof peers, next: Parameters<typeof load>[2]): Peer[] =>
    Object.entries(servers).map(([name, { url }]) => ({ name, run: () => load(url, authorization, next) }));
  return [
    ...(await compareLoads("GET any page", peersOf({ ...peers, floor }, another))),
    ...(await compareLoads("PATCH", peersOf(peers, edit))),
  ];
}

/** Returns a request for another page each time. */
function anyPage({ first, last }: Pick<Filled, "first" | "last">): () => { readonly path: string } {
  let anchor = first;
  return () => {
    anchor = first + ((anchor + 7_919) % (last - first));
    return { path: `/api/v1/messages?anchor=${anchor}&num_before=10&num_after=9` };
  };
}

/** One server on PostgreSQL compared with Prism, and with three on the same database. */
async function comparePostgres(): Promise<string[]> {
  const cluster = await startPostgres({ durable: true });
  try {
    const database = await cluster.createDatabase("bench");
    const { authorization, ...range } = await fillPostgres(database, 100_000);
    return await withServers(async ({ folder, start }) => {
      const servers: BenchServer[] = [];
      for (let number = 0; number < 3; number++) servers.push(await serve(start, "--database", database));
      const another = anyPage(range);
      const loadAll = async (loaded: readonly BenchServer[]) => {
        const loads = await Promise.all(loaded.map(({ url }) => load(url, authorization, another)));
        return {
          perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0),
          p99: Math.max(...loads.map(({ p99 }) => p99)),
        };
      };
      const prism = await servePrism({ folder, start });
      return compareLoads("GET any page", [
        { name: "PostgreSQL", run: () => loadAll(servers.slice(0, 1)) },
        { name: "Prism CLI", run: () => loadAll([prism]) },
        { name: "three servers", run: () => loadAll(servers) },
      ]);
    });
  } finally {
    cluster.stop();
  }
}

/** The duration of a page with 1,000,000 messages compared with 1,000. */
async function compareSizes(bench: Bench): Promise<string[]> {
  const [few, many] = [await serveFilled(bench, 1_000), await serveFilled(bench, 1_000_000)];
  const narrow = (terms: object[]) => `narrow=${encodeURIComponent(JSON.stringify(terms))}`;
  // No messages follow the newest one, so these queries request the same page and all miss the cache.
  const newest = (time: number) => `anchor=newest&num_before=20&num_after=${time}`;
  const topic = narrow([
    { operator: "channel", operand: "channel 3" },
    { operator: "topic", operand: "topic 7" },
  ]);
  const search = narrow([{ operator: "search", operand: "report" }]);
  const pages: Readonly<Record<string, (time: number, filled: Filled) => string>> = {
    newest,
    "an id in the middle": (time, { middle }) => `anchor=${middle + time}&num_before=10&num_after=10`,
    "a channel and topic": (time) => `${newest(time)}&${topic}`,
    "a search": (time) => `${newest(time)}&${search}`,
  };
  const rows: string[] = [];
  for (const [name, query] of Object.entries(pages)) {
    const times: { few: number; many: number }[] = [];
    const timed = async ({ server, filled }: FilledServer, time: number) => {
      const start = performance.now();
      await read(server.url, filled, query(time, filled));
      return performance.now() - start;
    };
    for (let time = 0; time < 300; time++) times.push({ few: await timed(few, time), many: await timed(many, time) });
    const [smallMs, largeMs] = [median(times.map((one) => one.few)), median(times.map((one) => one.many))];
    const text = `${smallMs.toFixed(2)} ms of 1,000, ${largeMs.toFixed(2)} ms of 1,000,000`;
    rows.push(`${name.padEnd(20)} ${text}, ratio ${(largeMs / smallMs).toFixed(2)}`);
  }
  return [...rows, `memory with 1,000,000 messages: ${many.server.memory().toFixed(0)} MiB`];
}

async function read(url: string, { authorization }: Filled, query: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/messages?${query}`, { headers: { Authorization: authorization } });
  if (!response.ok) throw new Error(`${query}: status ${response.status} ${await response.text()}`);
  return response.text();
}
