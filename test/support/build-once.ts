import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Builds the package before the tests if a source has changed since: the processes that tests start run it, without a TypeScript loader. */
export async function setup(): Promise<void> {
  const built = statSync(join(root, "dist"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const changed = Math.max(
    ...["generated", "openapi/checks", "proto/checks", "reference", "src", "scripts/build.ts"].flatMap(changeTimes),
  );
  if (changed > built) await import("../../scripts/build.js");
}

/** The modification times of a path and of all files and folders below it. Adding or deleting a file changes only its folder. */
function changeTimes(path: string): number[] {
  const place = join(root, path);
  const below = statSync(place).isDirectory() ? readdirSync(place, { recursive: true, encoding: "utf8" }) : [];
  return [place, ...below.map((name) => join(place, name))].map((file) => statSync(file).mtimeMs);
}
