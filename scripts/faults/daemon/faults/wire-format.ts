import { FieldDescriptorProto_Type as Type } from "@bufbuild/protobuf/wkt";
import { withNumbers, withType } from "../changed-fields.js";
import type { DaemonFault } from "../fault.js";

const selecting = ["case select-second-node"];

/** Messages whose field numbers or types differ from the contract. */
export const wireFormatFaults: readonly DaemonFault[] = [
  {
    name: "select-request-numbers-swapped",
    family: "wire format",
    summary: "swaps the numbers of `id` and `selected_ordinal` in requests of SelectNode",
    breaks: ["select-node.preview-ordinals"],
    checkedBy: ["case select-ordinal-of-preview"],
    behaviour: withNumbers("ProxySubscriptionSelectRequest", { id: 2, selected_ordinal: 1 }),
  },
  {
    name: "select-reply-numbers-swapped",
    family: "wire format",
    summary: "swaps the numbers of `id` and `selected_ordinal` in replies of SelectNode",
    breaks: ["select-node.returns-id", "select-node.returns-selected-ordinal"],
    checkedBy: selecting,
    behaviour: withNumbers("ProxySubscriptionSelectResponse", { id: 2, selected_ordinal: 1 }),
  },
  {
    name: "select-reply-ordinal-moved",
    family: "wire format",
    summary: "writes `selected_ordinal` of SelectNode under a number that the contract lacks",
    breaks: ["select-node.returns-selected-ordinal"],
    checkedBy: selecting,
    behaviour: withNumbers("ProxySubscriptionSelectResponse", { selected_ordinal: 3 }),
  },
  {
    name: "apply-reply-id-moved",
    family: "wire format",
    summary: "writes `id` of ApplyImport under another number, so that clients miss it",
    breaks: ["apply-import.returns-id"],
    checkedBy: ["case apply-new-network"],
    behaviour: withNumbers("ProxySubscriptionApplyResponse", { id: 4 }),
  },
  {
    name: "apply-reply-id-and-count-swapped",
    family: "wire format",
    summary: "swaps the numbers of `id` and `imported_count` in replies of ApplyImport",
    breaks: ["select-node.preview-ordinals"],
    checkedBy: ["case select-ordinal-of-preview"],
    behaviour: withNumbers("ProxySubscriptionApplyResponse", { id: 2, imported_count: 1 }),
  },
  {
    name: "id-zigzag",
    family: "wire format",
    summary: "writes `id` as sint32",
    breaks: ["select-node.returns-id"],
    checkedBy: selecting,
    behaviour: withType("ProxySubscriptionSelectResponse", "id", Type.SINT32),
  },
  {
    name: "ordinal-as-bool",
    family: "wire format",
    summary: "writes `selected_ordinal` as bool",
    breaks: ["select-node.returns-selected-ordinal"],
    checkedBy: selecting,
    behaviour: {
      ...withType("ProxySubscriptionSelectResponse", "selected_ordinal", Type.BOOL),
      handlers: (honest) => ({
        ...honest,
        selectNode: async (request, context) => {
          const reply = await honest.selectNode(request, context);
          return { ...reply, selectedOrdinal: untyped(reply.selectedOrdinal !== 0) };
        },
      }),
    },
  },
  {
    name: "id-as-text",
    family: "wire format",
    summary: "writes `id` as a string",
    breaks: ["wire.proto3"],
    checkedBy: selecting,
    behaviour: {
      ...withType("ProxySubscriptionSelectResponse", "id", Type.STRING),
      handlers: (honest) => ({
        ...honest,
        selectNode: async (request, context) => {
          const reply = await honest.selectNode(request, context);
          return { ...reply, id: untyped(`${reply.id}`) };
        },
      }),
    },
  },
  {
    name: "id-fixed32",
    family: "wire format",
    summary: "writes `id` in the wire type of fixed32",
    breaks: ["wire.proto3"],
    checkedBy: selecting,
    behaviour: withType("ProxySubscriptionSelectResponse", "id", Type.FIXED32),
  },
  {
    name: "count-as-double",
    family: "wire format",
    summary: "writes `compatible_count` as double",
    breaks: ["wire.proto3"],
    checkedBy: ["case preview-trojan-list"],
    behaviour: withType("ProxySubscriptionPreviewResponse", "compatible_count", Type.DOUBLE),
  },
  {
    name: "nodes-under-warnings-number",
    family: "wire format",
    summary: "writes the nodes of a preview under the number of its warnings",
    breaks: ["wire.proto3"],
    checkedBy: ["case preview-trojan-list"],
    behaviour: withNumbers("ProxySubscriptionPreviewResponse", { node: 7, warnings: 5 }),
  },
  {
    name: "select-replies-preview",
    family: "wire format",
    summary: "returns a preview from SelectNode",
    breaks: ["wire.proto3"],
    checkedBy: selecting,
    behaviour: {
      contract: ({ service: [service] }) => {
        const select = service?.method.find(({ name }) => name === "SelectNode");
        if (select !== undefined) select.outputType = ".proxydaemon.v1.ProxySubscriptionPreviewResponse";
      },
      handlers: (honest) => ({
        ...honest,
        selectNode: () => untyped({ suggestedName: "Northwind", detectedFormat: "uri-list", compatibleCount: 2 }),
      }),
    },
  },
];

/** A value for a field or reply that has another type in the changed contract. */
function untyped(value: unknown): never {
  return value as never;
}
