import { Code, ConnectError } from "@connectrpc/connect";
import { ofFamily } from "../../fault.js";
import { fault } from "../describe.js";
import type { DaemonFault } from "../fault.js";

/** Fields at other numbers, and fields that the daemon does not know. */
export const fieldNumberFaults: readonly DaemonFault[] = ofFamily("wire format", [
  fault("preview-counts-swapped", "swaps the numbers of `compatible_count` and `rejected_count`")
    .breaks("preview-import.counts")
    .checkedBy("case preview-links-of-every-kind")
    .withNumbers("ProxySubscriptionPreviewResponse", { compatible_count: 4, rejected_count: 3 }),
  fault("rejected-reason-and-scheme-swapped", "swaps the numbers of `reason` and `scheme` of a rejected entry")
    .breaks("preview-import.reasons")
    .checkedBy("case preview-links-of-every-kind")
    .withNumbers("ProxySubscriptionRejectedEntry", { reason: 3, scheme: 2 }),
  fault("node-ordinal-and-port-swapped", "swaps the numbers of `ordinal` and `port` of a node")
    .breaks("preview-import.ordinals", "preview-import.node-fields")
    .checkedBy("case preview-base64-links")
    .withNumbers("ProxySubscriptionNodePreview", { ordinal: 5, port: 1 }),
  fault("apply-request-url-and-name-swapped", "swaps the numbers of `url` and `name` in requests of ApplyImport")
    .breaks("apply-import.selects")
    .checkedBy("case apply-selects-first")
    .withNumbers("ProxySubscriptionApplyRequest", { url: 3, name: 2 }),
  fault(
    "apply-reply-count-and-ordinal-swapped",
    "swaps the numbers of `imported_count` and `selected_ordinal` in replies of ApplyImport",
  )
    .breaks("apply-import.counts-nodes", "apply-import.selects")
    .checkedBy("case apply-mixed-list")
    .withNumbers("ProxySubscriptionApplyResponse", { imported_count: 3, selected_ordinal: 2 }),
  fault("runtime-supported-moved", "writes `runtime_supported` of a node under a number that the contract lacks")
    .breaks("preview-import.runtime-supported")
    .checkedBy("case preview-trojan-list")
    .withNumbers("ProxySubscriptionNodePreview", { runtime_supported: 8 }),
  fault("unknown-fields-refused", "refuses requests with fields that it does not know")
    .breaks("wire.unknown-fields")
    .beforeEach((_context, { $unknown: unknown = [] }) => {
      if (unknown.length > 0) throw new ConnectError("A field is not known", Code.InvalidArgument);
    }),
]);
