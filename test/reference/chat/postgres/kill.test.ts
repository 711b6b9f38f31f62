import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { type PostgresCluster, startPostgres } from "../../../../scripts/bench/postgres-cluster.js";
import { needing } from "../../../support/needing.js";
import { useOwnTemporaryFolder } from "../../../support/own-temporary-folder.js";
import { type ReferenceProcess, startReferenceProcess } from "../../../support/reference-process.js";
import { startRoundRobin } from "../../../support/round-robin.js";
import { setUpChat } from "../../../support/set-up-chat.js";
import { startTcpProxy } from "../../../support/tcp-proxy.js";
import { startWriters, writerCount } from "./written-edits.js";

const { describe } = needing("postgresql");

/** The full count, 10, kills PostgreSQL and cuts the network 10 times, and kills a server 50 times. */
const { ACCORD_REPEAT } = process.env;
const rounds = Number(ACCORD_REPEAT ?? 1);
const serverKills = ACCORD_REPEAT === undefined ? 2 : 5 * rounds;

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres({ durable: true });
});
afterAll(() => cluster.stop());

/**
 * Statuses of an edit while the database may be down. 400 means that the previous edit was stored but its response was
 * lost.
 */
const statusesWithoutDatabase = [200, 400, 503];

async function startServers(databaseUrl: string, count: number) {
  const servers: ChatReference[] = await Promise.all(
    Array.from({ length: count }, () => createChatReference({ databaseUrl, states: true })),
  );
  const balancer = await startRoundRobin(() => servers.map(({ url }) => url));
  return {
    url: balancer.url,
    close: async () => {
      await balancer.close();
      for (const server of servers) await server.close();
    },
  };
}

describe("servers on PostgreSQL", () => {
  it("answer 503 while it is killed, recover, and keep every acknowledged write", async () => {
    const servers = await startServers(await cluster.createDatabase("killed"), 2);
    const writers = await startWriters(servers.url, statusesWithoutDatabase);
    for (let round = 0; round < rounds; round++) {
      await writers.progress();
      cluster.kill();
      await expect.poll(() => writers.statuses.has(503)).toBe(true);
      await sleep(500);
      await cluster.restart();
    }
    await writers.progress();
    await writers.finish();
    await servers.close();
  });

  it("answer 503 while the database is unreachable, and continue when the network is slow", async () => {
    const proxy = await startTcpProxy(cluster.port);
    const url = (await cluster.createDatabase("remote")).replace(`:${cluster.port}/`, `:${proxy.port}/`);
    const servers = await startServers(url, 2);
    const writers = await startWriters(servers.url, statusesWithoutDatabase);
    for (let round = 0; round < rounds; round++) {
      await writers.progress();
      proxy.cut();
      await expect.poll(() => writers.statuses.has(503)).toBe(true);
      await sleep(200);
      proxy.mend();
      await writers.progress();
      proxy.slow(20);
      await writers.progress();
      proxy.slow(0);
      proxy.freeze();
      await sleep(1000);
      proxy.mend();
    }
    await writers.progress();
    await writers.finish();
    await servers.close();
    await proxy.close();
  });

  it("answer 503 with Retry-After on the paths of uploads while the database is unreachable", {
    timeout: 120_000,
  }, async () => {
    const proxy = await startTcpProxy(cluster.port);
    const databaseUrl = (await cluster.createDatabase("uploads")).replace(`:${cluster.port}/`, `:${proxy.port}/`);
    const server = await createChatReference({ databaseUrl, states: true });
    const setup = await setUpChat(server);
    const { email, api_key } = setup.credentials("member");
    const headers = { Authorization: `Basic ${btoa(`${email}:${api_key}`)}`, "Tus-Resumable": "1.0.0" };
    const call = (method: string, path: string, more: Record<string, string> = {}) =>
      fetch(server.url + path, { method, headers: { ...headers, ...more } });
    const location = (await call("POST", "/api/v1/tus", { "Upload-Length": "5" })).headers.get("Location") ?? "";
    const uploaded = await setup.as("member").uploadFile({ file: new File(["skull"], "skull.txt") });
    const upload = uploaded.ok ? uploaded.data.url : "";
    proxy.cut();
    const calls: [string, string, Record<string, string>?][] = [
      ["POST", "/api/v1/tus", { "Upload-Length": "5" }],
      ["OPTIONS", "/api/v1/tus"],
      ["HEAD", location],
      ["PATCH", location, { "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream" }],
      ["DELETE", location],
      ["GET", upload],
      ["HEAD", upload],
      ["GET", "/api/v1/messages?anchor=newest&num_before=1&num_after=0"],
    ];
    for (const [method, path, more] of calls) {
      const answer = await call(method, path, more);
      const text = await answer.text();
      expect([method, path, answer.status, answer.headers.get("Retry-After")]).toEqual([method, path, 503, "1"]);
      if (method !== "HEAD") {
        expect(JSON.parse(text)).toMatchObject({ result: "error", code: "SERVICE_UNAVAILABLE" });
      }
    }
    proxy.mend();
    await expect.poll(async () => (await call("HEAD", location)).status, { timeout: 60_000 }).toBe(200);
    await server.close();
    await proxy.close();
  });

  it("lose nothing, and deliver each reminder once, while one of three is killed", { timeout: 1_200_000 }, async () => {
    // A killed server cannot remove its temporary folder.
    useOwnTemporaryFolder();
    const databaseUrl = await cluster.createDatabase("survivors");
    const start = () => startReferenceProcess("--database", databaseUrl, "--states", "--log-level", "silent");
    const running: ReferenceProcess[] = await Promise.all([start(), start(), start()]);
    let alive = [...running];
    const balancer = await startRoundRobin(() => alive.map(({ url }) => url));
    const writers = await startWriters(balancer.url, [200, 400]);
    const setup = await setUpChat(
      { url: balancer.url, statesUrl: `${balancer.url}/states` },
      { state: "organization", params: {} },
    );
    const member = setup.as("member");
    const notes: string[] = [];
    for (let round = 0; round < serverKills; round++) {
      for (let index = 0; index < 3; index++) {
        const note = `note-${round}-${index}-end`;
        const due = Math.ceil(Date.now() / 1000) + 1;
        const made = await member.createReminder({ note, scheduled_delivery_timestamp: due }).catch(() => undefined);
        if (made?.ok) notes.push(note);
      }
      await writers.progress();
      const victim = running[round % 3] as ReferenceProcess;
      // The balancer notices it at once, so that only the calls that are under way can fail.
      alive = running.filter((server) => server !== victim);
      victim.child.kill("SIGKILL");
      await victim.finished;
      running[round % 3] = await start();
      alive = [...running];
    }
    await writers.progress();
    await writers.finish();
    const received = async () => {
      const page = await member.getMessages({ anchor: "newest", num_before: 1000, num_after: 0 });
      return page.ok ? page.data.messages.map(({ content }) => content) : [];
    };
    const missing = async () => {
      const contents = await received();
      return notes.filter((note) => !contents.some((content) => content.includes(note)));
    };
    await expect.poll(missing, { interval: 500 }).toEqual([]);
    const contents = await received();
    for (const note of notes) expect(contents.filter((content) => content.includes(note))).toHaveLength(1);
    expect(writers.broken()).toBeLessThanOrEqual(serverKills * writerCount);
    await balancer.close();
    for (const server of running) server.child.kill("SIGTERM");
    for (const server of running) expect(await server.finished).toMatchObject({ code: 0 });
  });
});
