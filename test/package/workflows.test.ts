import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";

const run = promisify(execFile);
const folder = fileURLToPath(new URL("../../.github/workflows/", import.meta.url));

interface Job {
  readonly permissions?: Readonly<Record<string, string>> | string;
  readonly steps: readonly { readonly name?: string; readonly uses?: string; readonly run?: string }[];
}

const jobs = readdirSync(folder).flatMap((file) => {
  const text = readFileSync(join(folder, file), "utf8");
  const workflow = parse(text);
  return Object.entries<Job>(workflow.jobs).map(([name, job]) => {
    return { name: `${file} ${name}`, text, job, permissions: JSON.stringify(job.permissions ?? workflow.permissions) };
  });
});
const privileged = jobs.filter(({ permissions }) => permissions === undefined || permissions.includes("write"));

/** Runs the step of a job as the runner does, in a new folder. */
async function runStep({ steps }: Job, name: string, prepare: (folder: string) => Promise<Record<string, string>>) {
  const temporary = mkdtempSync(join(tmpdir(), "accord-workflow-"));
  onTestFinished(() => rmSync(temporary, { recursive: true }));
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", ...(await prepare(temporary)) };
  const workspace = join(temporary, "workspace");
  mkdirSync(workspace);
  const script = steps.find((step) => step.name === name)?.run ?? "exit 9";
  await run("bash", ["-eo", "pipefail", "-c", script], { cwd: workspace, env });
  return { temporary, workspace };
}

describe("workflows that may write", () => {
  it("are those of a release", () => {
    expect(privileged.map(({ name }) => name).sort()).toEqual(["pages.yml publish", "release.yml release"]);
  });

  it.each(privileged)("name the actions that they use by commit, with the version in a comment: $name", ({ text }) => {
    const used = [...text.matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(([, action = ""]) => action);
    for (const action of used) expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it.each(privileged)("check out the commit of the tag: $name", async ({ job }) => {
    const { workspace } = await runStep(job, "Check out the tag", async (temporary) => {
      const repository = join(temporary, "owner/accord");
      mkdirSync(repository, { recursive: true });
      const git = (...args: string[]) =>
        run("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: repository });
      await git("init", "--quiet");
      writeFileSync(join(repository, "file"), "released");
      await git("add", "file");
      await git("commit", "--quiet", "--message", "Release");
      const { stdout } = await git("rev-parse", "HEAD");
      writeFileSync(join(repository, "file"), "later");
      await git("commit", "--quiet", "--all", "--message", "Later");
      const bin = join(temporary, "bin");
      mkdirSync(bin);
      writeFileSync(join(bin, "gh"), '#!/bin/sh\n[ "$*" = "auth setup-git" ]\n');
      chmodSync(join(bin, "gh"), 0o755);
      return {
        PATH: `${bin}:${process.env.PATH}`,
        GITHUB_SERVER_URL: `file://${temporary}`,
        GITHUB_REPOSITORY: "owner/accord",
        GITHUB_SHA: stdout.trim(),
      };
    });
    expect(readFileSync(join(workspace, "file"), "utf8")).toBe("released");
  });

  it.each(privileged)("use the newest Node 24 of the runner, and fail without one: $name", async ({ job }) => {
    const versions = (...names: string[]) =>
      runStep(job, "Use Node 24 of the runner", async (temporary) => {
        for (const name of names) mkdirSync(join(temporary, "node", name, "x64/bin"), { recursive: true });
        return { RUNNER_TOOL_CACHE: temporary, GITHUB_PATH: join(temporary, "path") };
      });
    const { temporary } = await versions("22.20.0", "24.9.0", "24.10.1");
    expect(readFileSync(join(temporary, "path"), "utf8")).toBe(`${temporary}/node/24.10.1/x64/bin\n`);
    await expect(versions("22.20.0")).rejects.toThrow();
  });
});
