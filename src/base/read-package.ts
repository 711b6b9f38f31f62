import { readFileSync } from "node:fs";
import { findPackageFile } from "./package-file.js";

/** The fields of this package's `package.json` that are read. */
export interface OwnPackage {
  readonly version: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Reads this package's `package.json`. Undefined if it is missing, such as in a bundle. */
export function readPackage(): OwnPackage | undefined {
  const file = findPackageFile("package.json");
  const found = file === undefined ? undefined : JSON.parse(readFileSync(file, "utf8"));
  return found?.name === "accord-contracts" ? found : undefined;
}
