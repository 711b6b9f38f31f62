import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type WatchedLog, type WatchLogOptions, watchLog } from "../../../src/verify/rpc/search-log.js";
import { needing } from "../../support/needing.js";

const owners = [
  { name: "redact-password", secrets: ["vX9pLm3QwE"] },
  { name: "redact-password-on-apply", secrets: ["vX9pLm3QwE"] },
  { name: "redact-percent-encoded", secrets: ["süß/es Geheimnis"] },
  { name: "login-cancel" },
];
const leak = '{"msg":"cannot fetch https://grace:vX9pLm3QwE@trey.example/"}\n';
const leakOf = ["redact-password", "redact-password-on-apply"];

let folder: string;
let path: string;
let log: WatchedLog | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "search-log-"));
  path = join(folder, "daemon.log");
});
afterEach(async () => {
  await log?.close();
  log = undefined;
  rmSync(folder, { recursive: true });
});

async function watch(options?: WatchLogOptions): Promise<WatchedLog> {
  log = await watchLog(path, options);
  return log;
}

/** A gap that names the file and says what to do. */
function gap(reason: string) {
  return {
    reason: expect.toSatisfy((text: string) => text.includes(reason) && text.includes(path)),
    help: expect.stringMatching(/^[A-Z].*[^.]$/),
  };
}

describe("watchLog with a growing log", () => {
  it("searches the added text, with line numbers of the file", async () => {
    writeFileSync(path, `${leak}one\ntwo\n`);
    const { search } = await watch();
    expect(await search(owners)).toEqual({ findings: [], searchedBytes: 0, gaps: [] });
    appendFileSync(path, `three\n${leak}five ü\n\nGET /s%C3%BC%C3%9F%2fes+Geheimnis\n`);
    const found = await search(owners);
    expect(found).toMatchObject({
      findings: [
        { line: 5, cases: leakOf },
        { line: 8, cases: ["redact-percent-encoded"] },
      ],
      gaps: [],
    });
    expect(JSON.stringify(found)).not.toContain("vX9pLm3QwE");
  });

  it("allows the added text to begin and end within a line", async () => {
    writeFileSync(path, "one\nvX9p");
    const { search } = await watch();
    appendFileSync(path, "Lm3QwE\nand vX9pLm3QwE");
    expect((await search(owners)).findings).toEqual([{ line: 3, cases: leakOf }]);
  });

  it("allows the log to be created later", async () => {
    const { search } = await watch();
    expect(await search(owners)).toEqual({ findings: [], searchedBytes: 0, gaps: [gap("There is no log file")] });
    writeFileSync(path, `one\n${leak}`);
    expect(await search(owners)).toMatchObject({ findings: [{ line: 2 }], gaps: [] });
  });

  it("searches across pieces, in unterminated lines, and in binary data", async () => {
    writeFileSync(path, "");
    const { search } = await watch();
    appendFileSync(path, `${"x".repeat(65_530)}vX9pLm3QwE${"y".repeat(200_000)}vX9pLm3QwE\n`);
    appendFileSync(path, Buffer.concat([Buffer.alloc(100_000, 0xff), Buffer.from("\nvX9pLm3QwE\n")]));
    expect((await search(owners)).findings).toEqual([
      { line: 1, cases: leakOf },
      { line: 3, cases: leakOf },
    ]);
  });

  it("finds a secret at every position around the end of a piece", async () => {
    for (let start = 65_536 - 12; start <= 65_537; start++) {
      writeFileSync(path, "");
      const { search, close } = await watchLog(path);
      appendFileSync(path, `${"z".repeat(start - 1)}\nvX9pLm3QwE\nlast`);
      expect({ start, ...(await search(owners)) }).toMatchObject({ start, findings: [{ line: 2 }] });
      await close();
    }
  });

  it("searches up to a maximum, and reports the gap", async () => {
    const { search } = await watch({ maxBytes: 2 ** 20 });
    writeFileSync(path, `${"x\n".repeat(2 ** 19)}${leak}`);
    expect(await search(owners)).toEqual({
      findings: [],
      searchedBytes: 2 ** 20,
      gaps: [gap("than the 1 MiB that were searched")],
    });
  });

  it("reports the first hundred lines", async () => {
    const { search } = await watch();
    writeFileSync(path, leak.repeat(150));
    expect((await search(owners)).findings.map(({ line }) => line)).toEqual(
      Array.from({ length: 100 }, (_, at) => at + 1),
    );
  });
});

describe("watchLog with a log that is moved away", () => {
  it("searches it and the new log in its place", async () => {
    writeFileSync(path, "one\n");
    const { search } = await watch();
    appendFileSync(path, leak);
    renameSync(path, `${path}.1`);
    expect(await search(owners)).toMatchObject({
      findings: [{ cases: leakOf }],
      gaps: [gap("There is no log file")],
    });
    writeFileSync(path, `one\ntwo\n${leak}`);
    expect(await search(owners)).toMatchObject({
      findings: [{ cases: leakOf }, { line: 3, cases: leakOf }],
      gaps: [],
    });
  });

  it("searches it even if it was deleted", async () => {
    writeFileSync(path, "one\n");
    const { search } = await watch();
    appendFileSync(path, leak);
    rmSync(path);
    expect((await search(owners)).findings).toEqual([{ cases: leakOf }]);
  });
});

describe("watchLog with a truncated log", () => {
  it("searches it from its beginning", async () => {
    writeFileSync(path, "before\n".repeat(100));
    const { search } = await watch();
    truncateSync(path);
    appendFileSync(path, `${leak}one\n`);
    expect(await search(owners)).toMatchObject({
      findings: [{ line: 1 }],
      gaps: [gap("was truncated, so the text before is lost")],
    });
  });
});

describe("watchLog with another kind of file", () => {
  it("rejects a folder", async () => {
    mkdirSync(path);
    await expect(watch()).rejects.toThrow("is not a regular file");
  });

  needing("mkfifo").it("rejects a pipe without waiting for a writer", async () => {
    execFileSync("mkfifo", [path]);
    await expect(watch()).rejects.toThrow("is not a regular file");
  });

  it("reports it if it replaces the log", async () => {
    const { search } = await watch();
    mkdirSync(path);
    expect(await search(owners)).toMatchObject({ findings: [], gaps: [gap("cannot be read")] });
  });
});

describe("the result of a search", () => {
  it("has help for each kind of gap", async () => {
    const helps: (string | undefined)[] = [];
    const helpAfter = async (happen: () => void, options?: WatchLogOptions) => {
      writeFileSync(path, "before\n".repeat(100));
      const { search, close } = await watchLog(path, options);
      happen();
      helps.push((await search(owners)).gaps[0]?.help);
      await close();
    };
    await helpAfter(() => truncateSync(path));
    await helpAfter(() => appendFileSync(path, "more\n".repeat(100)), { maxBytes: 10 });
    await helpAfter(() => rmSync(path));
    expect(new Set(helps).size).toBe(3);
    expect(helps).not.toContain(undefined);
  });
});
