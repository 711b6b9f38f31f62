import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The path of a file or folder of `openapi/`: three folders up in a checkout, and four in the built package. Throws if it is missing. */
export function openapiFile(name: string): string {
  for (const root of ["../../../openapi/", "../../../../openapi/"]) {
    const file = fileURLToPath(new URL(root + name, import.meta.url));
    if (existsSync(file)) return file;
  }
  throw new Error(`openapi/${name} is missing from this package`);
}
