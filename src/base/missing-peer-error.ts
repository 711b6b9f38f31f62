import { readPackage } from "./read-package.js";
import { UsageError } from "./usage-error.js";

/** An optional package that a command needs is not installed. The message says how to install it. */
export class MissingPeerError extends UsageError {
  override readonly name = "MissingPeerError";

  /** `what` names what needs the packages, such as `TypeScript types`. */
  constructor(what: string, ...packages: readonly string[]) {
    const { peerDependencies = {}, optionalDependencies = {} } = readPackage() ?? {};
    const ranges: Readonly<Record<string, string>> = { ...optionalDependencies, ...peerDependencies };
    const named = packages.map((name) => `${name}@${(ranges[name] ?? "latest").replace("^", "")}`);
    super(`${what} needs ${packages.join(" and ")}. Install with: npm install --save-dev ${named.join(" ")}`);
  }
}
