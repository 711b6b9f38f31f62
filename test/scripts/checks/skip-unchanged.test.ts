import { execFile } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { createInputReader } from "../../../scripts/cache/input-files.js";
import { codeChecks } from "../../../scripts/checks/code-checks.js";
import { contractChecks } from "../../../scripts/checks/contract-checks.js";
import type { CheckResult, ProjectCheck } from "../../../scripts/checks/project-check.js";
import { hashParts, skipUnchanged } from "../../../scripts/checks/skip-unchanged.js";
import { copyProject } from "../../support/project-copy.js";
import { temporaryFolder } from "../../support/reference-process.js";

const passes = async (): Promise<CheckResult> => ({ ok: true });

/** Runs a check as a command does, each time with a reader of its own. */
async function runOnce(check: ProjectCheck, root: string): Promise<CheckResult | undefined> {
  const [skipping] = skipUnchanged([check], root);
  return skipping?.run();
}

describe("skipUnchanged", () => {
  it("skips a check that passed on the same inputs, and runs it when a file is added", async () => {
    using folder = temporaryFolder();
    const check = { name: "check", inputs: { paths: ["sources"] }, run: passes };
    mkdirSync(folder.inside("sources"));
    expect(await runOnce(check, folder.path)).toEqual({ ok: true });
    expect(await runOnce(check, folder.path)).toEqual({ ok: true, detail: "unchanged" });
    writeFileSync(folder.inside("sources/new"), "");
    expect(await runOnce(check, folder.path)).toEqual({ ok: true });
  });

  it("runs a failed check again", async () => {
    using folder = temporaryFolder();
    const run = async (): Promise<CheckResult> => ({ ok: false, output: "wrong" });
    const check = { name: "check", inputs: { paths: ["source"] }, run };
    expect(await runOnce(check, folder.path)).toEqual({ ok: false, output: "wrong" });
    expect(await runOnce(check, folder.path)).toEqual({ ok: false, output: "wrong" });
  });

  it("runs a check again if an input changed while it ran", async () => {
    using folder = temporaryFolder();
    const source = folder.inside("source");
    writeFileSync(source, "broken");
    const mending = async (): Promise<CheckResult> => {
      writeFileSync(source, "correct");
      return { ok: true };
    };
    const check = { name: "check", inputs: { paths: ["source"] }, run: mending };
    expect(await runOnce(check, folder.path)).toEqual({ ok: true });
    writeFileSync(source, "broken");
    expect(await runOnce(check, folder.path)).toEqual({ ok: true });
  });

  it("runs a check every time while one of its modules cannot be read", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.inside("module.ts"), "import {");
    const check = { name: "check", inputs: { paths: [], modules: ["module.ts"] }, run: passes };
    expect(await runOnce(check, folder.path)).toEqual({ ok: true });
    expect(await runOnce(check, folder.path)).toEqual({ ok: true });
  });

  it("names only the files that changed, and all of them after a failure or a change of what they share", async () => {
    using folder = temporaryFolder();
    const seen: (readonly string[] | undefined)[] = [];
    let result: CheckResult = { ok: true };
    const run = async (files?: readonly string[]) => {
      seen.push(files);
      return result;
    };
    const check = { name: "check", inputs: { paths: ["settings"] }, eachFileOf: "sources", run };
    mkdirSync(folder.inside("sources"));
    for (const name of ["a", "b"]) writeFileSync(folder.inside(`sources/${name}`), name);
    await runOnce(check, folder.path);
    appendFileSync(folder.inside("sources/b"), "changed");
    result = { ok: false, output: "b is wrong" };
    await runOnce(check, folder.path);
    await runOnce(check, folder.path);
    appendFileSync(folder.inside("settings"), "changed");
    await runOnce(check, folder.path);
    const both = ["sources/a", "sources/b"];
    expect(seen).toEqual([both, ["sources/b"], ["sources/b"], both]);
  });
});

const [rest, workflows, rpc, rpcCases] = contractChecks.map(({ name }) => name);
const [biome, spelling, typeScript, browsers] = codeChecks.map(({ name }) => name);
const [ofRest, ofRpc] = [
  [rest, workflows],
  [rpc, rpcCases],
];
const ofContracts = [...ofRest, ...ofRpc];
const ofFiles = [biome, spelling];
const ofCode = [...ofFiles, typeScript, browsers];

/** Files, with the checks that a change of each affects. */
const affected: readonly (readonly [file: string, checks: readonly (string | undefined)[]])[] = [
  ["package-lock.json", [...ofContracts, ...ofCode]],
  ["tsconfig.json", [...ofContracts, ...ofCode]],
  ["scripts/checks/run-tool.ts", ofCode],
  ["scripts/redocly/rules/named-schemas.ts", [...ofContracts, ...ofFiles, typeScript]],
  ["src/lint/rest/rules/shown-by.ts", [...ofContracts, ...ofCode]],
  ["src/contract/rest/rules.ts", [...ofContracts, ...ofCode]],
  ["src/judge/mask.ts", ofCode],
  ["test/new.ts", [...ofFiles, typeScript]],
  ["openapi/paths/messages.yaml", [...ofRest, ...ofFiles]],
  [".redocly.lint-ignore.yaml", [...ofRest, ...ofFiles]],
  ["proto/cases/login-cancel.yaml", [...ofRpc, ...ofFiles]],
  ["scripts/biome/no-can-parse.grit", [...ofFiles, typeScript]],
  ["cspell.words.txt", ofFiles],
];

describe("the checks of npm run lint", () => {
  it("run again after a change of any input", async () => {
    using copy = copyProject();
    const hashAll = async () => {
      const reader = createInputReader(copy.folder);
      const checks = [...contractChecks, ...codeChecks];
      return new Map(await Promise.all(checks.map(async (one) => [one.name, await hashParts(one, reader)] as const)));
    };
    let before = await hashAll();
    for (const [file, checks] of affected) {
      mkdirSync(join(copy.folder, file, ".."), { recursive: true });
      appendFileSync(join(copy.folder, file), "\n");
      const after = await hashAll();
      const changed = [...after].filter(([name, parts]) => !isDeepStrictEqual(parts, before.get(name)));
      expect({ file, checks: changed.map(([name]) => name) }).toEqual({ file, checks });
      before = after;
    }
  });

  it("check every file again after a change of what these share", async () => {
    const ofShared = async (name: string | undefined, shared: string) => {
      using folder = temporaryFolder();
      const check = codeChecks.find((one) => one.name === name);
      if (check?.inputs === undefined) throw new Error(`there is no check ${name}`);
      // The modules of the check are not in this folder.
      const alone = { ...check, inputs: { paths: check.inputs.paths } };
      writeFileSync(folder.inside("source"), "");
      const before = await hashParts(alone, createInputReader(folder.path));
      mkdirSync(join(folder.inside(shared), ".."), { recursive: true });
      writeFileSync(folder.inside(shared), "");
      const after = await hashParts(alone, createInputReader(folder.path));
      return before.get("source") === after.get("source");
    };
    expect(await ofShared(biome, "unrelated")).toBe(true);
    for (const file of ["package.json", "biome.json", "scripts/biome/no-can-parse.grit"])
      expect([file, await ofShared(biome, file)]).toEqual([file, false]);
  });

  it("find a fault in a file that is checked alone", async () => {
    const root = fileURLToPath(new URL("../../..", import.meta.url));
    // Not in a folder that other tests list.
    const file = `unformatted-${process.pid}.mjs`;
    writeFileSync(join(root, file), "export  const one = 1;\n");
    try {
      const result = await codeChecks.find(({ name }) => name === biome)?.run(["README.md", file]);
      expect(result).toMatchObject({ ok: false, output: expect.stringContaining(file) });
    } finally {
      rmSync(join(root, file));
    }
  });

  it("compile no file of the project outside the inputs of TypeScript", async () => {
    const root = fileURLToPath(new URL("../../..", import.meta.url));
    const listed = await promisify(execFile)(
      process.execPath,
      ["node_modules/typescript-7/bin/tsc", "--listFilesOnly", "-p", "tsconfig.json"],
      { cwd: root, maxBuffer: 1 << 24 },
    );
    const { paths = [] } = codeChecks.find(({ name }) => name === typeScript)?.inputs ?? {};
    const own = listed.stdout.split("\n").flatMap((file) => (file.startsWith(root) ? [file.slice(root.length)] : []));
    const isInput = (file: string) => paths.some((path) => file === path || file.startsWith(`${path}/`));
    expect(own.length).toBeGreaterThan(500);
    expect(own.filter((file) => !file.startsWith("node_modules/") && !isInput(file))).toEqual([]);
  });
});
