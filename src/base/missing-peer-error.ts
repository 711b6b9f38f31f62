import { readPackage } from "./read-package.js";
import { UsageError } from "./usage-error.js";

/** An optional package that a command needs is not installed. The message says how to install it. */
export class MissingPeerError extends UsageError {
  override readonly name = "MissingPeerError";

  /** `what` names what needs the packages, such as `TypeScript types`. */
  constructor(what: string, ...packages: readonly string[]) {
    const { peerDependencies = {}, optionalDependencies = {} } = readPackage() ?? {};
    const ranges: Readonly<Record<string, string>> = { ...optionalDependencies, ...peerDependencies };
    // The lowest version of a range need not exist, so `^5.9.0` is named as `5`.
    const named = packages.map((name) => `${name}@${(ranges[name] ?? "latest").replace(/^\^([1-9]\d*)\..*/, "$1")}`);
    super(`${what} needs ${packages.join(" and ")}. Install with: npm install --save-dev ${named.join(" ")}`);
  }
}
