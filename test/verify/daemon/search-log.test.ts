import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type WatchedLog, type WatchLogOptions, watchLog } from "../../../src/verify/daemon/search-log.js";

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

describe("a log that grows", () => {
  it("is searched in what was added, with line numbers of the file", async () => {
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

  it("may begin and end within a line", async () => {
    writeFileSync(path, "one\nvX9p");
    const { search } = await watch();
    appendFileSync(path, "Lm3QwE\nand vX9pLm3QwE");
    expect((await search(owners)).findings).toEqual([{ line: 3, cases: leakOf }]);
  });

  it("may be made only later", async () => {
    const { search } = await watch();
    expect(await search(owners)).toEqual({ findings: [], searchedBytes: 0, gaps: [gap("There is no log file")] });
    writeFileSync(path, `one\n${leak}`);
    expect(await search(owners)).toMatchObject({ findings: [{ line: 2 }], gaps: [] });
  });

  it("is searched across pieces, in lines without end, and in bytes that are no text", async () => {
    writeFileSync(path, "");
    const { search } = await watch();
    appendFileSync(path, `${"x".repeat(65_530)}vX9pLm3QwE${"y".repeat(200_000)}vX9pLm3QwE\n`);
    appendFileSync(path, Buffer.concat([Buffer.alloc(100_000, 0xff), Buffer.from("\nvX9pLm3QwE\n")]));
    expect((await search(owners)).findings).toEqual([
      { line: 1, cases: leakOf },
      { line: 3, cases: leakOf },
    ]);
  });

  it("finds a secret at every place around the end of a piece", async () => {
    for (let start = 65_536 - 12; start <= 65_537; start++) {
      writeFileSync(path, "");
      const { search, close } = await watchLog(path);
      appendFileSync(path, `${"z".repeat(start - 1)}\nvX9pLm3QwE\nlast`);
      expect({ start, ...(await search(owners)) }).toMatchObject({ start, findings: [{ line: 2 }] });
      await close();
    }
  });

  it("is searched up to a bound, which is told", async () => {
    const { search } = await watch({ mostBytes: 2 ** 20 });
    writeFileSync(path, `${"x\n".repeat(2 ** 19)}${leak}`);
    expect(await search(owners)).toEqual({
      findings: [],
      searchedBytes: 2 ** 20,
      gaps: [gap("The daemon has written more than the 1 MiB")],
    });
  });

  it("gives the first hundred lines", async () => {
    const { search } = await watch();
    writeFileSync(path, leak.repeat(150));
    expect((await search(owners)).findings.map(({ line }) => line)).toEqual(
      Array.from({ length: 100 }, (_, at) => at + 1),
    );
  });
});

describe("a log that is moved away", () => {
  it("is searched along with the one in its place", async () => {
    writeFileSync(path, "one\n");
    const { search } = await watch();
    appendFileSync(path, leak);
    renameSync(path, `${path}.1`);
    expect(await search(owners)).toMatchObject({ findings: [{ cases: leakOf }], gaps: [gap("There is no log file")] });
    writeFileSync(path, `one\ntwo\n${leak}`);
    expect(await search(owners)).toMatchObject({
      findings: [{ cases: leakOf }, { line: 3, cases: leakOf }],
      gaps: [],
    });
  });

  it("is searched even when it was deleted", async () => {
    writeFileSync(path, "one\n");
    const { search } = await watch();
    appendFileSync(path, leak);
    rmSync(path);
    expect((await search(owners)).findings).toEqual([{ cases: leakOf }]);
  });
});

describe("a log that is truncated", () => {
  it.each([
    ["is shorter then", "one\n"],
    ["has grown beyond its length", `${"two\n".repeat(500)}`],
  ])("is searched from its beginning when it %s", async (_, added) => {
    writeFileSync(path, "before\n".repeat(100));
    const { search } = await watch();
    truncateSync(path);
    appendFileSync(path, `${leak}${added}`);
    expect(await search(owners)).toMatchObject({
      findings: [{ line: 1 }],
      gaps: [gap("was truncated, so what had been written before is not known")],
    });
  });
});

describe("what is no log", () => {
  it("is refused: a folder", async () => {
    mkdirSync(path);
    await expect(watch()).rejects.toThrow("is no file");
  });

  it("is refused: a pipe, without waiting for its other end", async () => {
    execFileSync("mkfifo", [path]);
    await expect(watch()).rejects.toThrow("is no file");
  });

  it("is told of when it takes the place of the log", async () => {
    const { search } = await watch();
    mkdirSync(path);
    expect(await search(owners)).toMatchObject({ findings: [], gaps: [gap("cannot be read")] });
  });
});

describe("what could not be searched", () => {
  it("has a help of its own for each cause", async () => {
    const helps: (string | undefined)[] = [];
    const helpAfter = async (happen: () => void, options?: WatchLogOptions) => {
      writeFileSync(path, "before\n".repeat(100));
      const { search, close } = await watchLog(path, options);
      happen();
      helps.push((await search(owners)).gaps[0]?.help);
      await close();
    };
    await helpAfter(() => truncateSync(path));
    await helpAfter(() => appendFileSync(path, "more\n".repeat(100)), { mostBytes: 10 });
    await helpAfter(() => rmSync(path));
    expect(new Set(helps).size).toBe(3);
    expect(helps).not.toContain(undefined);
  });
});
