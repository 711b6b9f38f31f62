import { readFileSync } from "node:fs";
import { findPackageFile } from "./package-file.js";
import { readPackage } from "./read-package.js";

/** The version of this package. */
export const packageVersion = readPackage()?.version ?? "unknown";

/** The versions of the contracts. That of the daemon has no version of its own: it is released with the package. */
export const contractVersions = { chat: readChatVersion() ?? "unknown", daemon: packageVersion } as const;

/** The `User-Agent` of requests that verify a server (RFC 9110, section 10.1.5): the package with its version. */
export const userAgent = `accord-contracts/${packageVersion}`;

/** Reads `info.version` from the source of the contract, because the generated document is large. */
function readChatVersion(): string | undefined {
  const file = findPackageFile("openapi/chat.yaml");
  return file === undefined
    ? undefined
    : /^info:\n(?: .*\n)*? {2}version: (\S+)$/m.exec(readFileSync(file, "utf8"))?.[1];
}
