import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { ProjectContract } from "../../src/contract/project/project.js";
import { generateContract } from "../../src/generate/generate-contract.js";
import { makeFolder, write } from "../support/museum.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Every check that a project may have turned on. */
const options = [
  ...["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--verbatimModuleSyntax"],
  ...["--noUnusedLocals", "--noImplicitOverride", "--isolatedModules", "--skipLibCheck"],
  ...["--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom,dom.iterable"],
];

/**
 * Generates the files of a contract, compiles them with `use.ts` beside them, and imports the latter. Rejects with the errors of the
 * compiler.
 */
export async function compileGenerated(
  contract: ProjectContract,
  use = "export {};",
): Promise<Record<string, unknown>> {
  const folder = makeFolder({ "package.json": { type: "module" }, "src/use.ts": use });
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/accord-contracts"));
  for (const name of ["@bufbuild", "@connectrpc", "@types", "fastify"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  const files = await generateContract(contract);
  write(folder, Object.fromEntries([...files].map(([path, text]) => [`src/generated/${path}`, String(text)])));
  const sources = [...files.keys()].filter((path) => path.endsWith(".ts")).map((path) => `src/generated/${path}`);
  const tsc = join(root, "node_modules/typescript-7/bin/tsc");
  const args = [tsc, "--ignoreConfig", ...options, "--outDir", "dist", "--rootDir", "src", "src/use.ts", ...sources];
  await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(({ stdout }: { stdout: string }) => {
    throw new Error(stdout);
  });
  return import(pathToFileURL(join(folder, "dist/use.js")).href);
}
