import { existsSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder with the `.proto` files of this package, relative to the working directory when it is below. It is three folders up in a
 * checkout, and four in the built package. Where neither has it, such as in a bundle, it is said to be in `node_modules`.
 */
export function protoFolder(): string {
  for (const path of ["../../../proto", "../../../../proto"]) {
    const folder = fileURLToPath(new URL(path, import.meta.url));
    if (!existsSync(`${folder}/daemon/v1/proxy_subscriptions.proto`)) continue;
    const shown = relative(process.cwd(), folder);
    return shown.startsWith("..") || isAbsolute(shown) ? folder : shown;
  }
  return "node_modules/accord-contracts/proto";
}
