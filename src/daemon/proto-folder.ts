import { findPackageFile, packageFile } from "../base/package-file.js";
import { shownPath } from "../contract/shown-path.js";

/** Finds the folder with the `.proto` files of this package; in a bundle, the one in `node_modules`. */
export function protoFolder(): string {
  return findPackageFile("proto/proxydaemon/v1/proxy_subscriptions.proto") === undefined
    ? "node_modules/accord-contracts/proto"
    : shownPath(packageFile("proto"));
}
