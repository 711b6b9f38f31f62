import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { expect, it, vi } from "vitest";
import { roles } from "../../../../reference/chat/roles.js";
import { openSqlite } from "../../../../reference/chat/storage/sqlite/open-sqlite.js";
import { createUser } from "../../../../reference/chat/users/create-user.js";
import { fillFolder } from "../../../../scripts/bench/fill-messages.js";
import { startReferenceProcess, temporaryFolder } from "../../../support/reference-process.js";

const mebibyte = 1024 * 1024;
const connections = 400;
const smallPage = "/api/v1/messages?anchor=newest&num_before=5&num_after=0";
const largestPage = "/api/v1/messages?anchor=newest&num_before=4999&num_after=0&apply_markdown=false";

/** Fills a folder so that the largest page has 29 MB. Returns the credentials of its reader and of another user. */
async function fillPages(folder: string): Promise<{ greedy: string; honest: string }> {
  const { authorization } = await fillFolder(folder, 5_000);
  const opened = openSqlite(folder);
  const { database } = opened;
  try {
    await sql`update message set content = replace(hex(zeroblob(2900)), '00', 'ab')`.execute(database);
    const user = { realmId: 1, fullName: "Hana Honest", email: "hana@bench.example", role: roles.member };
    const { apiKey } = await createUser(database, user);
    return { greedy: authorization, honest: `Basic ${btoa(`${user.email}:${apiKey.reveal()}`)}` };
  } finally {
    await opened.close();
  }
}

/** Resident memory of a process in MiB: current and peak. */
function memoryOf(pid: number | undefined): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [now, peak] = ["VmRSS", "VmHWM"].map(
    (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024,
  );
  return { now: now ?? 0, peak: peak ?? 0 };
}

/** Opens connections that send something and read nothing. */
function openSilent(url: string, text: string): Socket[] {
  const { hostname, port } = new URL(url);
  return Array.from({ length: connections }, () => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.pause();
    socket.on("error", () => {});
    socket.write(text);
    return socket;
  });
}

async function readPage(url: string, authorization: string, page = smallPage): Promise<void> {
  // On a busy machine, the server may close an idle connection just before it would be used again.
  const answer = await fetch(url + page, { headers: { authorization, connection: "close" } });
  await answer.text();
  expect(answer.status).toBe(200);
}

const request = (line: string, authorization: string, headers = "") =>
  `${line} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n${headers}\r\n`;
const form = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${mebibyte}\r\n`;

it.each<{ what: string; text: (authorization: string) => string }>([
  { what: "ask for 29 MB and do not read", text: (greedy) => request(`GET ${largestPage}`, greedy) },
  {
    what: "send most of a form and stop",
    text: (greedy) => request("PATCH /api/v1/messages/1", greedy, form) + "content=".padEnd(mebibyte - 1, "a"),
  },
])("needs less than 500 MiB more and keeps responding while 400 connections $what", async ({ text }) => {
  using folder = temporaryFolder();
  const { greedy, honest } = await fillPages(folder.path);
  // With a large heap, V8 collects garbage late, so that the growth would depend on the speed of the machine. The largest pages of one
  // caller need about 220 MB of heap: with 256, the server ran out of it on a busy machine.
  vi.stubEnv("NODE_OPTIONS", "--max-old-space-size=400");
  const server = await startReferenceProcess("--data", folder.path, "--log-level", "error");
  vi.unstubAllEnvs();
  try {
    await readPage(server.url, honest);
    await readPage(server.url, greedy, largestPage);
    const before = memoryOf(server.child.pid).now;
    const sockets = openSilent(server.url, text(greedy));
    for (let count = 0; count < 10; count++) {
      await readPage(server.url, honest);
      await sleep(200);
    }
    const grown = memoryOf(server.child.pid).peak - before;
    for (const socket of sockets) socket.destroy();
    expect(grown).toBeLessThan(500);
  } finally {
    server.child.kill("SIGKILL");
    await server.finished;
  }
});
