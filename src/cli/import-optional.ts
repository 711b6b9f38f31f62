import { missingPackage } from "../base/missing-package.js";
import { readPackage } from "../base/read-package.js";
import { UsageError } from "../base/usage-error.js";

/** Optional packages that a command needs are not installed. The message says how to install them. */
export class PackagesMissingError extends UsageError {
  override readonly name = "PackagesMissingError";
}

/**
 * Imports a part of this package that needs optional dependencies. `what` names the part in the message, such as `The chat server`.
 * Rejects with a `PackagesMissingError` if a dependency is not installed.
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
