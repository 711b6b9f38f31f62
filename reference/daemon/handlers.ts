import type { DaemonHandlers } from "../../src/daemon/index.js";
import { applyImport } from "./apply-import.js";
import { loginCancel } from "./login-cancel.js";
import { previewImport } from "./preview-import.js";
import { selectNode } from "./select-node.js";
import type { Services } from "./services.js";

/** The handler of each RPC. */
export function createHandlers(services: Services): DaemonHandlers {
  return {
    previewImport: previewImport(services),
    applyImport: applyImport(services),
    selectNode: selectNode(services),
    loginCancel: loginCancel(),
  };
}
