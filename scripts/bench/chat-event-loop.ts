import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { sql } from "kysely";
import { createChatReference } from "../../reference/chat/create-chat-reference.js";
import { listen } from "../../src/listen.js";
import { type Filled, fillFolder } from "./fill-messages.js";
import { median } from "./measure.js";

/** A request, as `fetch` takes it. */
interface Call {
  readonly url: string;
  readonly method: "GET" | "PATCH";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const rounds = 5;

/**
 * How long single requests block the event loop of the reference server, compared with a bare `node:http` server in the same process that
 * returns the same page from memory.
 */
export async function benchChatEventLoop(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "accord-bench-"));
  const filled = await fillFolder(folder, 40_000, { channels: 1, topics: 1 });
  const server = await createChatReference({ dataFolder: folder });
  const client = new Worker(clientScript, { eval: true });
  try {
    const messages = `${server.url}/api/v1/messages`;
    const page = (count: number, round: number): Call =>
      // No messages follow the newest one, so each round requests the same page by a different query and misses the cache.
      callAs(filled, "GET", `${messages}?anchor=newest&num_before=${count - round}&num_after=${round}`);
    const move = (round: number): Call => ({
      ...callAs(filled, "PATCH", `${messages}/${filled.first}`),
      body: `topic=topic+${round}+again&propagate_mode=change_all&send_notification_to_new_thread=false`,
    });
    let text = "";
    const bare = await listen(
      createServer((_, response) => response.end(text)),
      {},
    );
    const pages = async (of: string) => {
      text = await (await fetch(page(5000, 0).url, page(5000, 0))).text();
      return [
        await row(client, `bare node:http, 5,000 messages of ${of}`, () => ({ ...page(5000, 0), url: bare.url })),
        await row(client, `GET 5,000 messages of ${of}`, (round) => page(5000, round)),
      ];
    };
    try {
      const moved = await row(client, "PATCH that moves 40,000 messages", move);
      const short = await pages("100 characters");
      const { database } = server.services;
      await sql`update message set rendered_content = hex(zeroblob(2500)) where id > ${filled.last - 5000}`.execute(
        database,
      );

      return [await row(client, "nothing", () => undefined), ...short, ...(await pages("5,000 characters")), moved];
    } finally {
      await bare.close();
    }
  } finally {
    await client.terminate();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function callAs({ authorization }: Filled, method: Call["method"], url: string): Call {
  return {
    url,
    method,
    headers: { Authorization: authorization, "Content-Type": "application/x-www-form-urlencoded" },
  };
}

/** The maximum event loop delay during a request, and the duration of the request. */
async function row(client: Worker, name: string, call: (round: number) => Call | undefined): Promise<string> {
  const delays: number[] = [];
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const histogram = monitorEventLoopDelay({ resolution: 1 });
    histogram.enable();
    await wait(50);
    histogram.reset();
    const request = call(round);
    times.push(request === undefined ? await wait(200, 0) : await timeOf(client, request));
    await wait(50);
    histogram.disable();
    delays.push(histogram.max / 1e6);
  }
  const maxDelay = Math.max(...delays).toFixed(0);
  return `${name}: event loop blocked for ${median(delays).toFixed(0)} ms (max ${maxDelay} ms), answered in ${median(times).toFixed(0)} ms`;
}

const clientScript = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", async ({ url, ...call }) => {
    const start = performance.now();
    const response = await fetch(url, call);
    const text = await response.text();
    if (!response.ok) throw new Error(url + " answered " + response.status + " " + text);
    parentPort.postMessage(performance.now() - start);
  });`;

/** Sends a request from a separate thread, so that reading the response does not block the server. Returns milliseconds. */
async function timeOf(client: Worker, call: Call): Promise<number> {
  client.postMessage(call);
  const [milliseconds] = await once(client, "message");
  return milliseconds;
}
