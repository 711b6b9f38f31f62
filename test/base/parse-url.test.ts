import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseUrl } from "../../src/base/parse-url.js";

describe("parseUrl", () => {
  it.each([
    ["https://b\u00fccher.example/a", undefined, "https://xn--bcher-kva.example/a"],
    ["/a", "https://h.example/b", "https://h.example/a"],
    ["/a", undefined, undefined],
    ["https://[", undefined, undefined],
  ])("parses %j with the base %j", (text, base, want) => expect(parseUrl(text, base)?.href).toBe(want));

  it("still accepts a non-ASCII URL after very many calls", () => {
    const text = "https://b\u00fccher.example";
    for (let count = 0; count < 200_000; count++) if (parseUrl(text) === undefined) expect.fail(`refused at ${count}`);
  });
});

it("is required by the linter instead of URL.canParse, which Node 20 gets wrong", () => {
  const root = join(import.meta.dirname, "../..");
  const folder = mkdtempSync(join(tmpdir(), "accord-lint-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lint = (text: string) => {
    const file = join(folder, "example.ts");
    writeFileSync(file, text);
    const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
    return spawnSync(process.execPath, [biome, "lint", `--config-path=${root}`, file], { encoding: "utf8" });
  };
  expect(lint("export const url = parseUrl(text);\n")).toMatchObject({ status: 0 });
  const { status, stderr } = lint("export const isUrl = URL.canParse(text);\n");
  expect([status, stderr]).toEqual([1, expect.stringContaining("use parseUrl from src/base/parse-url.ts")]);
});
