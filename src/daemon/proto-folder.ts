import { dirname } from "node:path";
import { findPackageFile } from "../base/package-file.js";
import { shownPath } from "../contract/shown-path.js";

/** Finds the folder with the `.proto` files of this package; in a bundle, the one in `node_modules`. */
export function protoFolder(): string {
  // Compiled code has a folder `proto` of its own, with the checks alone.
  const found = findPackageFile("proto/proxydaemon");
  return found === undefined ? "node_modules/accord-contracts/proto" : shownPath(dirname(found));
}
