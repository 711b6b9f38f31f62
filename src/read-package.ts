import { readFileSync } from "node:fs";

/** What is read of the `package.json` of this package. */
export interface OwnPackage {
  readonly version: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Reads the `package.json` of this package: one folder up in a checkout, and two in the built package. */
export function readPackage(): OwnPackage | undefined {
  for (const path of ["../package.json", "../../package.json"]) {
    try {
      const found = JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
      if (found.name === "accord-contracts") return found;
    } catch {
      // Not here; look one folder further up.
    }
  }
  return undefined;
}
