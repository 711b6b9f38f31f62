import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { needing } from "../support/needing.js";
import { useOwnTemporaryFolder } from "../support/own-temporary-folder.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The commands of the workflow that publishes the site, in order. */
function workflowCommands(): string[] {
  const { jobs } = parse(readFileSync(`${root}.github/workflows/pages.yml`, "utf8"));
  return jobs.publish.steps.flatMap(({ run }: { run?: string }) => run ?? []);
}

/** A checkout with a remote repository, in which the workflow has run up to its last command. */
function createCheckout() {
  const { path } = useOwnTemporaryFolder();
  const [remote, checkout] = [join(path, "remote.git"), join(path, "checkout")];
  const git = (...args: string[]) => execFileSync("git", args, { cwd: checkout, encoding: "utf8", stdio: "pipe" });
  execFileSync("git", ["init", "--quiet", "--bare", remote]);
  execFileSync("git", ["clone", "--quiet", remote, checkout], { stdio: "pipe" });
  mkdirSync(join(checkout, "scripts"));
  cpSync(`${root}scripts/publish-site.sh`, join(checkout, "scripts/publish-site.sh"));
  writeFileSync(join(checkout, ".gitignore"), "dist-site/\n");
  git("add", "--all");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "Start");
  return {
    /** Runs the last command of the workflow for the tag of a version, whose site has one page. */
    publish: (version: string, page?: string) => {
      mkdirSync(join(checkout, "dist-site"), { recursive: true });
      if (page !== undefined) writeFileSync(join(checkout, "dist-site/index.html"), page);
      // Without the start-up files of bash, which may print something.
      const { BASH_ENV: _, ENV: __, ...clean } = process.env;
      const env = { ...clean, GITHUB_REF_NAME: version };
      return spawnSync("bash", ["-euc", workflowCommands().at(-1) ?? ""], { cwd: checkout, env, encoding: "utf8" });
    },
    /** Fetches what is published. */
    published: () => {
      const folder = join(path, `published-${readdirSync(path).length}`);
      execFileSync("git", ["clone", "--quiet", "--branch", "gh-pages", remote, folder], { stdio: "pipe" });
      return {
        names: readdirSync(folder)
          .filter((name) => name !== ".git")
          .sort(),
        read: (name: string) => readFileSync(join(folder, name), "utf8"),
      };
    },
    worktrees: () => git("worktree", "list").trim().split("\n").length,
  };
}

describe("the workflow that publishes the site", () => {
  it("installs, builds and publishes", () => {
    expect(workflowCommands().slice(-3)).toEqual([
      "npm ci",
      "npm run docs",
      'bash scripts/publish-site.sh "$GITHUB_REF_NAME"',
    ]);
  });

  needing("bash").it("adds a folder for each version, lists all of them, and leads to the newest release", () => {
    const { publish, published, worktrees } = createCheckout();
    for (const version of ["v1.9.0", "v1.10.0", "v2.0.0-rc.1", "v1.9.1"]) {
      expect(publish(version, version)).toMatchObject({ status: 0, stderr: "" });
    }
    const { names, read } = published();
    expect(names).toEqual([".nojekyll", "index.html", "v1.10.0", "v1.9.0", "v1.9.1", "v2.0.0-rc.1"]);
    for (const version of names.filter((name) => name.startsWith("v")))
      expect(read(`${version}/index.html`)).toBe(version);
    expect(read("index.html")).toContain('content="0; url=v1.10.0/"');
    const listed = [...read("index.html").matchAll(/<a href="([^"]+)\/">/g)].map(([, version]) => version);
    expect(listed).toEqual(["v2.0.0-rc.1", "v1.10.0", "v1.9.1", "v1.9.0"]);
    expect(worktrees()).toBe(1);
  });

  needing("bash").it("replaces the folder of a version that is published again", () => {
    const { publish, published } = createCheckout();
    publish("v1.0.0", "old");
    expect(publish("v1.0.0", "new").status).toBe(0);
    expect(publish("v1.0.0", "new").status).toBe(0);
    expect(published().read("v1.0.0/index.html")).toBe("new");
  });

  needing("bash").it.each([
    ["a branch", "main", "page", "pass a tag such as v1.2.0"],
    ["a site that is not built", "v1.0.0", undefined, "run npm run docs first"],
  ])("refuses %s", (_, version, page, message) => {
    const { stderr, status } = createCheckout().publish(version, page);
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});
