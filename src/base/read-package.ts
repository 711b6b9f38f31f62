import { readFileSync } from "node:fs";

/** The fields of this package's `package.json` that are read. */
export interface OwnPackage {
  readonly version: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Reads this package's `package.json`, which is one folder up in a checkout and two in the built package. Undefined if missing. */
export function readPackage(): OwnPackage | undefined {
  for (const path of ["../../package.json", "../../package.json"]) {
    try {
      const found = JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
      if (found.name === "accord-contracts") return found;
    } catch {
      // Try one folder further up.
    }
  }
  return undefined;
}
