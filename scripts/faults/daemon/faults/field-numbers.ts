import type { Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { DaemonBehaviour } from "../behaviour.js";
import { withNumbers } from "../changed-fields.js";
import { caught, type DaemonDetection, type DaemonFault } from "../fault.js";

/** Moves fields of a message to other numbers. */
function fault(
  name: string,
  summary: string,
  message: string,
  numbers: Readonly<Record<string, number>>,
  detection: DaemonDetection,
): DaemonFault {
  return { name, family: "wire format", summary, ...detection, behaviour: withNumbers(message, numbers) };
}

/** Refuses requests with fields that the contract does not have. */
const refusesUnknownFields: DaemonBehaviour = {
  handlers: (honest) => {
    const check = ({ $unknown: unknown = [] }: Pick<Message, "$unknown">) => {
      if (unknown.length > 0) throw new ConnectError("A field is not known", Code.InvalidArgument);
    };
    return {
      previewImport: (request, context) => {
        check(request);
        return honest.previewImport(request, context);
      },
      applyImport: (request, context) => {
        check(request);
        return honest.applyImport(request, context);
      },
      selectNode: (request, context) => {
        check(request);
        return honest.selectNode(request, context);
      },
      loginCancel: (request, context) => {
        check(request);
        return honest.loginCancel(request, context);
      },
    };
  },
};

/** Fields at other numbers, and fields that the daemon does not know. */
export const fieldNumberFaults: readonly DaemonFault[] = [
  fault(
    "preview-counts-swapped",
    "swaps the numbers of `compatible_count` and `rejected_count`",
    "ProxySubscriptionPreviewResponse",
    { compatible_count: 4, rejected_count: 3 },
    caught("case preview-links-of-every-kind", "preview-import.counts"),
  ),
  fault(
    "rejected-reason-and-scheme-swapped",
    "swaps the numbers of `reason` and `scheme` of a rejected entry",
    "ProxySubscriptionRejectedEntry",
    { reason: 3, scheme: 2 },
    caught("case preview-links-of-every-kind", "preview-import.reasons"),
  ),
  fault(
    "node-ordinal-and-port-swapped",
    "swaps the numbers of `ordinal` and `port` of a node",
    "ProxySubscriptionNodePreview",
    { ordinal: 5, port: 1 },
    caught("case preview-base64-links", "preview-import.ordinals", "preview-import.node-fields"),
  ),
  fault(
    "apply-request-url-and-name-swapped",
    "swaps the numbers of `url` and `name` in requests of ApplyImport",
    "ProxySubscriptionApplyRequest",
    { url: 3, name: 2 },
    caught("case apply-selects-first", "apply-import.selects"),
  ),
  fault(
    "apply-reply-count-and-ordinal-swapped",
    "swaps the numbers of `imported_count` and `selected_ordinal` in replies of ApplyImport",
    "ProxySubscriptionApplyResponse",
    { imported_count: 3, selected_ordinal: 2 },
    caught("case apply-mixed-list", "apply-import.counts-nodes", "apply-import.selects"),
  ),
  fault(
    "runtime-supported-moved",
    "writes `runtime_supported` of a node under a number that the contract lacks",
    "ProxySubscriptionNodePreview",
    { runtime_supported: 8 },
    caught("case preview-trojan-list", "preview-import.runtime-supported"),
  ),
  {
    name: "unknown-fields-refused",
    family: "wire format",
    summary: "refuses requests with fields that it does not know",
    ...caught("case preview-with-unknown-field", "wire.unknown-fields"),
    behaviour: refusesUnknownFields,
  },
];
