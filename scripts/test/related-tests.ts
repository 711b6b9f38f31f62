import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { readModules } from "../cache/input-files.js";

/** The folder that each contract is generated into: a change of the contract is one of the modules that are generated from it. */
const generatedFrom: Readonly<Record<string, string>> = { openapi: "generated/chat/", proto: "generated/daemon/" };

/** Lists the files that differ from the last commit, and new ones. */
export function changedFiles(root: string): string[] {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n");
  return [...git("diff", "--name-only", "HEAD"), ...git("ls-files", "--others", "--exclude-standard")].filter(Boolean);
}

/**
 * Lists the test files that import a changed file, directly or not. What a command loads when it runs is no import, so a change of a command
 * leads to its own tests only.
 */
export async function relatedTests(root: string, changed: readonly string[]): Promise<string[]> {
  const tests = readdirSync(`${root}/test`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `test/${name}`);
  const modules = await readModules(root, tests);
  const importers = new Map<string, string[]>();
  for (const [file, { imports }] of Object.entries(modules)) {
    for (const { path, kind } of imports)
      if (kind !== "dynamic-import") importers.set(path, [...(importers.get(path) ?? []), file]);
  }
  const affected = new Set(changed);
  for (const file of changed) {
    const folder = generatedFrom[file.split("/")[0] ?? ""];
    const generated = Object.keys(modules).filter((one) => folder !== undefined && one.startsWith(folder));
    for (const one of generated) affected.add(one);
  }
  // A set visits what is added meanwhile.
  for (const file of affected) for (const importer of importers.get(file) ?? []) affected.add(importer);
  return tests.filter((test) => affected.has(test));
}
