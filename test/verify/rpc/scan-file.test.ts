import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FileScan, scanFile } from "../../../src/verify/rpc/scan-file.js";

const secret = "vX9pLm3QwE";
const other = "süß/es Geheimnis";
const owners = [
  { name: "password", secrets: [secret] },
  { name: "token", secrets: [other] },
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "scan-file-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function scan(text: string): Promise<FileScan> {
  const path = join(folder, "daemon.log");
  writeFileSync(path, text);
  const file = await open(path, "r");
  try {
    return await scanFile(file, 0, 2 ** 28, owners);
  } finally {
    await file.close();
  }
}

function lines(count: number, line: string): string {
  return `${line}\n`.repeat(count);
}

describe("scanFile", () => {
  it("reports the first hundred lines, also if later lines show a secret in another spelling", async () => {
    const { found } = await scan(`s\\u00fc\\u00df/es Geheimnis\n${lines(150, secret)}`);
    expect(found.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(found.slice(0, 2).map(({ cases }) => cases)).toEqual([["token"], ["password"]]);
  });

  it("reports all secrets of the hundredth line, even in a later piece", async () => {
    const { found, bytes, hasMore } = await scan(
      `${lines(99, secret)}${secret}${" ".repeat(140_000)}${other}\n${lines(50_000, secret)}`,
    );
    expect(found).toHaveLength(100);
    expect(found.at(-1)).toEqual({ line: 100, cases: ["password", "token"] });
    expect([bytes, hasMore]).toEqual([11 * 50_099 + 10 + 140_000 + Buffer.byteLength(other) + 1, false]);
  });

  it.each([
    ["on every line", lines(500_000, `${secret} and more`)],
    ["thousands of times after many lines", `${lines(100_000, "")}${secret.repeat(30_000)}\n`.repeat(120)],
  ])("does not count the lines before each secret anew in a log that shows it %s", async (_, text) => {
    // Counting them anew would take minutes.
    expect((await scan(text)).found).toHaveLength(100);
  });
});
