import type { DaemonHandlers } from "../../src/daemon/index.js";
import { applyImport } from "./apply-import.js";
import { createPreview } from "./describe-preview.js";
import { selectNode } from "./select-node.js";
import type { Services } from "./services.js";

/** The handler of each RPC. */
export function createHandlers(services: Services): DaemonHandlers {
  return {
    previewImport: ({ url }, { signal }) => services.importSubscription(url, signal, createPreview()),
    applyImport: applyImport(services),
    selectNode: selectNode(services),
    // This daemon has no logins. Canceling a login that does not exist is not an error.
    loginCancel: () => ({}),
  };
}
