import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { releaseNotes } from "./release/release-notes.js";
import { writeArtifacts } from "./release/write-artifacts.js";
import { runScript } from "./run-script.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "release");

// Writes the files of a release and its notes into `release/`, and publishes the package with provenance. With --dry-run, publishes nothing
// and, as long as the changelog has no section of the version, takes the notes from [Unreleased].
await runScript(
  async (options) => {
    const isDry = options.has("--dry-run");
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    requireTag(version);
    const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
    const isReleased = changelog.includes(`\n## [${version}]`);
    const notes = releaseNotes(changelog, isDry && !isReleased ? "Unreleased" : version);
    const file = await writeArtifacts(root, folder);
    writeFileSync(join(folder, "notes.md"), notes);
    process.stdout.write(`wrote release/ for version ${version}\n`);
    if (isDry) return;
    execFileSync("npm", ["publish", file, "--provenance", "--access", "public"], { cwd: root, stdio: "inherit" });
  },
  ["--dry-run"],
);

/** Throws if a workflow runs for a tag other than that of the version. */
function requireTag(version: string): void {
  const { GITHUB_REF_TYPE: type, GITHUB_REF_NAME: tag } = process.env;
  if (type === "tag" && tag !== `v${version}`) {
    throw new Error(`The tag is ${tag}, but package.json has version ${version}: tag v${version}`);
  }
}
