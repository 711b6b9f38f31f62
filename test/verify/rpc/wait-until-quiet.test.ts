import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntilQuiet } from "../../../src/verify/rpc/search-log.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wait-until-quiet-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string): string {
  const path = join(folder, name);
  writeFileSync(path, "started\n");
  return path;
}

/** Repeats work every 300 ms. In one process, such a timer fires before the ten successive polls that a quiet file takes. */
async function repeat(times: number, work: () => void): Promise<void> {
  for (let time = 0; time < times; time++) {
    await sleep(300);
    work();
  }
}

/** Whether the wait lasts until work ends. */
async function waitsFor(path: string, work: Promise<void>): Promise<boolean> {
  let isDone = false;
  const done = work.then(() => {
    isDone = true;
  });
  await waitUntilQuiet(path);
  const wasDone = isDone;
  await done;
  return wasDone;
}

describe.concurrent("waitUntilQuiet", () => {
  it("waits while a file grows", async () => {
    const path = file("growing.log");
    expect(
      await waitsFor(
        path,
        repeat(6, () => appendFileSync(path, "x\n")),
      ),
    ).toBe(true);
  });

  it("waits for a file that appears and for one that is moved away", async () => {
    const path = join(folder, "later.log");
    const moves = [() => writeFileSync(path, "x"), () => renameSync(path, `${path}.1`), () => writeFileSync(path, "x")];
    expect(
      await waitsFor(
        path,
        repeat(3, () => moves.shift()?.()),
      ),
    ).toBe(true);
  });

  it("stops waiting after the maximum time if the file keeps growing", async () => {
    const path = file("endless.log");
    const writing = setInterval(() => appendFileSync(path, "x\n"), 50);
    await waitUntilQuiet(path, { maxMs: 1_500 }).finally(() => clearInterval(writing));
  });

  it("rejects when aborted", async () => {
    const stop = new AbortController();
    const waiting = waitUntilQuiet(file("aborted.log"), { signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toThrow("aborted");
  });
});
