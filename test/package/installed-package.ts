import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { copyProject } from "../support/project-copy.js";
import { type RunningProgram, startProgram } from "../support/start-program.js";

const run = promisify(execFile);
const npm = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];

/** The published package, installed with nothing but its own dependencies. */
export interface InstalledPackage {
  /** The folder of a project that installed it. */
  readonly folder: string;
  readonly tarball: string;
  /** The names of the files of the release. */
  readonly release: readonly string[];
  /** Runs its command. */
  readonly accord: (...args: string[]) => Promise<{ code: number; stdout: string; stderr: string }>;
  /** Starts its command until the test ends. `ready` is as for `startProgram`. */
  readonly start: (args: string, ready: RegExp) => Promise<RunningProgram>;
  /** Runs JavaScript code. */
  readonly node: (code: string) => Promise<{ stdout: string; stderr: string }>;
  /** Hides one of its dependencies until the end of the block. */
  readonly without: (name: string) => Disposable;
}

/** Makes a release and installs its package into an empty folder, for the tests of a file. */
export function installPackage(): InstalledPackage {
  const folder = mkdtempSync(join(tmpdir(), "accord-package-"));
  const release: string[] = [];
  const tarball = join(folder, "accord-contracts.tgz");
  const command = join(folder, "node_modules/.bin/accord");

  beforeAll(async () => {
    using copy = copyProject();
    expect(await copy.run("release --dry-run")).toMatchObject({ code: 0 });
    release.push(...readdirSync(join(copy.folder, "release")));
    cpSync(join(copy.folder, "release", release.find((file) => file.endsWith(".tgz")) ?? ""), tarball);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
    await run("npm", ["install", ...npm, tarball], { cwd: folder });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  return {
    folder,
    tarball,
    release,
    accord: (...args) =>
      run(command, args, { cwd: folder, maxBuffer: 1 << 26 }).then(
        ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
        ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
      ),
    start: async (args, ready) => {
      const program = await startProgram({ command: `${command} ${args}`, folder, ready, install: "npm ci" });
      onTestFinished(program.stop);
      return program;
    },
    node: (code) => run(process.execPath, ["--input-type=module", "--eval", code], { cwd: folder }),
    without: (name) => {
      const [place, away] = [join(folder, "node_modules", name), join(folder, `${name}-away`)];
      renameSync(place, away);
      return { [Symbol.dispose]: () => renameSync(away, place) };
    },
  };
}
