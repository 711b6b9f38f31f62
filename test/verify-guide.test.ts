import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDaemonReference } from "../reference/daemon/create-daemon-reference.js";
import type { DaemonServer } from "../src/daemon/index.js";
import * as verification from "../src/verify.js";
import { guideExample } from "./support/guide-example.js";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const guide = readFileSync(join(root, "docs/verify.md"), "utf8");
const example = guideExample("docs/verify.md", "verify");

let daemon: DaemonServer;
let folder = "";
beforeAll(async () => {
  // Inside the checkout, so that packages resolve.
  folder = mkdtempSync(join(root, "node_modules/.verify-guide-"));
  daemon = await createDaemonReference({ allowPrivate: true });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await daemon.close();
});

/** Writes the example, with the address of the daemon of this test, to a file. */
function written(name: string, code: string): string {
  const aimed = code
    .replace("unix:/run/daemon.sock", daemon.addresses[0] ?? "")
    .replace('"report.html"', JSON.stringify(join(folder, "report.html")))
    .replace("accord-contracts/verify", join(root, "src/verify.ts"));
  writeFileSync(join(folder, name), aimed);
  return join(folder, name);
}

describe("the examples of verify.md", () => {
  it.each(["verify", "verify own"])("compile: %s", async (name) => {
    const options =
      "--ignoreConfig --types node --noEmit --strict --target es2023 --module nodenext --skipLibCheck --allowImportingTsExtensions";
    const tsc = [
      join(root, "node_modules/typescript-7/bin/tsc"),
      ...options.split(" "),
      written("typed.mts", guideExample("docs/verify.md", name)),
    ];
    await expect(run(process.execPath, tsc, { cwd: root })).resolves.toMatchObject({ stdout: "" });
  });

  it("verifies a daemon, and writes a report and an exit code", async () => {
    const { stdout } = await run(process.execPath, ["--import", "tsx", written("kept.mts", example)], { cwd: root });
    expect(stdout).toMatch(/\nPASS {2}\d+ rules kept, none broken/);
    expect(readFileSync(join(folder, "report.html"), "utf8")).toContain('<h1><span class="word pass">PASS');
  });
});

describe("docs/verify.md", () => {
  it("names only functions that accord-contracts/verify exports", () => {
    const fromCode = guide.slice(guide.indexOf("## From code"));
    const named = [...fromCode.matchAll(/`((?:verify|format|read|json|exit)[A-Z]\w+)`/g)].map(([, name = ""]) => name);
    expect(named).toContain("jsonReportSchema");
    expect(named.filter((name) => !(name in verification))).toEqual([]);
  });

  it("names only options that exist", async () => {
    const help = await Promise.all(
      ["chat", "daemon", "contract"].map((contract) =>
        run(process.execPath, ["dist/reference/cli/main.js", "verify", contract, "--help"], {
          cwd: root,
        }),
      ),
    );
    const known = new Set(help.flatMap(({ stdout }) => stdout.match(/--[a-z-]+/g) ?? []));
    const named = guide.match(/(?<=`)--[a-z-]+/g) ?? [];
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
