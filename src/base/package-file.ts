import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The path of a file or folder of this package that is not compiled, such as `openapi/states.yaml`. Undefined if it is missing. Compiled
 * code is one folder further from it than its source.
 */
export function findPackageFile(path: string): string | undefined {
  const files = ["../../", "../../../"].map((root) => fileURLToPath(new URL(root + path, import.meta.url)));
  return files.find((file) => existsSync(file));
}

/** Like `findPackageFile`, but throws if the file is missing. */
export function packageFile(path: string): string {
  const file = findPackageFile(path);
  if (file === undefined) throw new Error(`${path} is missing from this package`);
  return file;
}
