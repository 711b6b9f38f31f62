import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { publishedLinks } from "./pack/published-links.js";
import { parseRepository, publishedManifest } from "./pack/published-manifest.js";

// Builds the package and the documentation site, and packs them as they are published. Prints the path of the tarball.
const root = fileURLToPath(new URL("..", import.meta.url));

function npm(folder: string, ...args: string[]): string {
  return execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

/** Lists the files that the package contains. */
function listFiles(): string[] {
  const [{ files }] = JSON.parse(npm(root, "pack", "--dry-run", "--json", "--ignore-scripts"));
  return files.map(({ path }: { path: string }) => path);
}

function pack(destination: string, repository: string | undefined): string {
  npm(root, "run", "--silent", "build", "--", "--no-source-maps");
  npm(root, "run", "--silent", "docs", "--", "--if-changed");
  const files = listFiles();
  const folder = mkdtempSync(join(tmpdir(), "accord-pack-"));
  try {
    for (const file of files) cpSync(join(root, file), join(folder, file));
    const manifest = publishedManifest(JSON.parse(readFileSync(join(root, "package.json"), "utf8")), repository);
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
    for (const file of files.filter((name) => name.endsWith(".md"))) {
      const text = readFileSync(join(root, file), "utf8");
      writeFileSync(join(folder, file), publishedLinks(text, file, { files, version: manifest.version, repository }));
    }
    const name = npm(folder, "pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", destination);
    return join(destination, name.trim().split("\n").at(-1) ?? "");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The repository in which a workflow of GitHub runs. */
function workflowRepository({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name }: NodeJS.ProcessEnv) {
  return server && name ? `${server}/${name}` : undefined;
}

try {
  const { values } = parseArgs({ options: { repository: { type: "string" }, destination: { type: "string" } } });
  const repository = values.repository ?? workflowRepository(process.env);
  const tarball = pack(resolve(values.destination ?? "."), repository && parseRepository(repository));
  process.stdout.write(`${tarball}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
