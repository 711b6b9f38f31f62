import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const parts = [
  "openapi",
  "proto",
  "generated",
  "docs",
  "examples",
  "reference",
  "scripts",
  "site",
  "src",
  "package.json",
  "accord.yaml",
  "redocly.yaml",
  "buf.yaml",
  "buf.gen.yaml",
  "tsconfig.json",
  "tsconfig.build.json",
  "package-lock.json",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "README.md",
  "LICENSE",
];

/** Building the site takes longest, so a copy reuses it. It is rebuilt if a test changes one of its sources. */
const builtSite = "dist-site";

/** A copy of the project for a test to break. */
export interface ProjectCopy extends Disposable {
  readonly folder: string;
  /** Replaces text in a file. Throws if the text is missing, so that every mutation has an effect. */
  readonly replace: (file: string, from: string | RegExp, to: string) => void;
  readonly remove: (file: string) => void;
  /** Runs a script of the project with arguments after a space. Returns its exit code and output. */
  readonly run: (command: string) => Promise<{ code: number; output: string }>;
}

/** Copies the project into a temporary folder; the installed packages are shared. */
export function copyProject(): ProjectCopy {
  const folder = mkdtempSync(join(tmpdir(), "accord-project-"));
  const built = existsSync(join(root, builtSite)) ? [builtSite] : [];
  for (const part of [...parts, ...built]) {
    cpSync(join(root, part), join(folder, part), { recursive: true, preserveTimestamps: true });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return {
    folder,
    replace: (file, from, to) => {
      const path = join(folder, file);
      const before = readFileSync(path, "utf8");
      const after = before.replace(from, to);
      if (after === before) throw new Error(`${file} has no ${from}`);
      writeFileSync(path, after);
    },
    remove: (file) => rmSync(join(folder, file)),
    run: async (command) => {
      const [script, ...args] = command.split(" ");
      try {
        const { stdout, stderr } = await promisify(execFile)(
          process.execPath,
          ["--import", "tsx", `scripts/${script}.ts`, ...args],
          { cwd: folder },
        );
        return { code: 0, output: stdout + stderr };
      } catch (error) {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
        return { code, output: stdout + stderr };
      }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
