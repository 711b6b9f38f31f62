import type { DaemonHandlers } from "../../src/daemon/index.js";
import { runInSlices as inTurns, nextSlice as nextTurn } from "../../src/time-slices.js";
import { describePreview } from "./preview/describe-preview.js";
import type { Services } from "./services.js";

/** Shows what a subscription holds, and stores nothing. */
export function previewImport({ importSubscription }: Services): DaemonHandlers["previewImport"] {
  return ({ url }, { signal }) =>
    importSubscription(url, signal, async (found) => inTurns(describePreview(found), nextTurn));
}
