import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { untilAtRest } from "../../../src/verify/daemon/search-log.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "until-at-rest-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string): string {
  const path = join(folder, name);
  writeFileSync(path, "started\n");
  return path;
}

/** Does something so often, each time before the file has been at rest for a second. */
async function again(times: number, work: () => void): Promise<void> {
  for (let time = 0; time < times; time++) {
    await sleep(300);
    work();
  }
}

/** Whether it waits for work to end. */
async function waitsFor(path: string, work: Promise<void>): Promise<boolean> {
  let isDone = false;
  const done = work.then(() => {
    isDone = true;
  });
  await untilAtRest(path);
  const wasDone = isDone;
  await done;
  return wasDone;
}

describe.concurrent("untilAtRest", () => {
  it("waits while a file grows", async () => {
    const path = file("growing.log");
    expect(
      await waitsFor(
        path,
        again(6, () => appendFileSync(path, "x\n")),
      ),
    ).toBe(true);
  });

  it("waits for a file that is not there yet, and for one that is moved away", async () => {
    const path = join(folder, "later.log");
    const moves = [() => writeFileSync(path, "x"), () => renameSync(path, `${path}.1`), () => writeFileSync(path, "x")];
    expect(
      await waitsFor(
        path,
        again(3, () => moves.shift()?.()),
      ),
    ).toBe(true);
  });

  it("does not wait for ever for a file that grows for ever", async () => {
    const path = file("endless.log");
    const writing = setInterval(() => appendFileSync(path, "x\n"), 50);
    await untilAtRest(path, { longestMs: 1_500 }).finally(() => clearInterval(writing));
  });

  it("ends when it is aborted", async () => {
    const stop = new AbortController();
    const waiting = untilAtRest(file("aborted.log"), { signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toThrow("aborted");
  });
});
