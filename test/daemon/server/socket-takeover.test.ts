import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { linkSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { clientOf, serve } from "./serve.js";

interface Answer {
  readonly id: string;
  readonly listens?: boolean;
  readonly refusal?: string;
}

const rounds = Number(process.env.ACCORD_REPEAT ?? 40);
/** Enough time for a message to reach every rival. */
const headStartMs = 20;

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "takeover-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Leaves a socket without a listener, as a killed process does. */
async function leaveStaleSocket(path: string): Promise<void> {
  const dead = createServer().listen(join(folder, "dead.sock"));
  await once(dead, "listening");
  renameSync(join(folder, "dead.sock"), path);
  await new Promise((resolve) => dead.close(resolve));
}

async function answerOf(child: ChildProcess): Promise<Answer> {
  const [answer] = await once(child, "message");
  return answer;
}

const rivals: ChildProcess[] = [];
beforeAll(async () => {
  const program = fileURLToPath(new URL("rival.mjs", import.meta.url));
  rivals.push(...Array.from({ length: 8 }, () => fork(program, { execArgv: [] })));
  await Promise.all(rivals.map(answerOf));
});
afterAll(async () => {
  for (const rival of rivals) rival.kill("SIGKILL");
  await Promise.all(rivals.map((rival) => once(rival, "exit")));
});

describe("a stale Unix socket", () => {
  it.each([2, 8])("is taken over by exactly one of %i processes that start at once", async (count) => {
    const socket = join(folder, "d.sock");
    const own = rivals.slice(0, count);
    for (let round = 0; round < rounds; round++) {
      await leaveStaleSocket(socket);
      const at = Date.now() + headStartMs;
      const answers = await Promise.all(
        own.map((rival) => {
          const answer = answerOf(rival);
          rival.send({ listenOn: socket, at });
          return answer;
        }),
      );
      const winners = answers.filter(({ listens }) => listens).map(({ id }) => id);
      expect(winners).toHaveLength(1);
      expect(await text(connect(socket))).toBe(winners[0]);
      for (const { refusal = "in use" } of answers) expect(refusal).toContain("in use");
      await Promise.all(
        own.map((rival) => {
          const answer = answerOf(rival);
          rival.send("close");
          return answer;
        }),
      );
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  it("is taken over after another process died during its takeover", async () => {
    const socket = join(folder, "d.sock");
    await leaveStaleSocket(socket);
    linkSync(socket, `${socket}~`);
    const server = await serve({ socket });
    expect(await clientOf(server).selectNode({ id: 1 })).toMatchObject({ id: 1 });
    expect(readdirSync(folder)).toEqual(["d.sock"]);
  });
});
