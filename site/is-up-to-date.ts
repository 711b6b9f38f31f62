import { existsSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { siteFolder } from "./site-folders.js";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The sources of the site. */
const sources = [
  "site",
  "docs",
  "generated",
  "examples",
  "src",
  "openapi",
  "proto",
  "package.json",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
];

/** Whether the built site is newer than everything that it is built from. */
export function isUpToDate(): boolean {
  const built = `${siteFolder}/index.html`;
  return existsSync(built) && sources.every((path) => newest(`${root}${path}`) < statSync(built).mtimeMs);
}

function newest(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .reduce((latest, entry) => Math.max(latest, statSync(`${entry.parentPath}/${entry.name}`).mtimeMs), 0);
}
