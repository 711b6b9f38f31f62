import { missingPackage } from "../missing-package.js";
import { readPackage } from "../read-package.js";
import { UsageError } from "../usage-error.js";

/** Packages are missing that only some commands need; the message says how to install them. */
export class PackagesMissingError extends UsageError {
  override readonly name = "PackagesMissingError";
}

/**
 * Imports a part of this package that needs its optional dependencies. `what` names the part for the message, such as
 * `The chat server`. Rejects with a `PackagesMissingError` when one of them is not installed.
 */
export async function importOptional<Module>(what: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const missing = missingPackage(error);
    if (missing === undefined) throw error;
    const needed = Object.entries(readPackage()?.optionalDependencies ?? {}).map(([name, range]) => `${name}@${range}`);
    throw new PackagesMissingError(
      `${what} needs packages that are not installed, such as ${missing}. Install them with: npm install ${needed.join(" ")}`,
    );
  }
}
