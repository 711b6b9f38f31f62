import { FieldDescriptorProto_Type as Type } from "@bufbuild/protobuf/wkt";
import { ofFamily } from "../../fault.js";
import { withType } from "../changed-fields.js";
import { changesRpc } from "../changed-handlers.js";
import { fault } from "../describe.js";
import type { DaemonFault } from "../fault.js";

const selecting = ["case select-second-node"];

/** Messages whose field numbers or types differ from the contract. */
export const wireFormatFaults: readonly DaemonFault[] = ofFamily("wire format", [
  fault("select-request-numbers-swapped", "swaps the numbers of `id` and `selected_ordinal` in requests of SelectNode")
    .breaks("select-node.preview-ordinals")
    .withNumbers("ProxySubscriptionSelectRequest", { id: 2, selected_ordinal: 1 }),
  fault("select-reply-numbers-swapped", "swaps the numbers of `id` and `selected_ordinal` in replies of SelectNode")
    .breaks("select-node.returns-id", "select-node.returns-selected-ordinal")
    .checkedBy(...selecting)
    .withNumbers("ProxySubscriptionSelectResponse", { id: 2, selected_ordinal: 1 }),
  fault("select-reply-ordinal-moved", "writes `selected_ordinal` of SelectNode under a number that the contract lacks")
    .breaks("select-node.returns-selected-ordinal")
    .checkedBy(...selecting)
    .withNumbers("ProxySubscriptionSelectResponse", { selected_ordinal: 3 }),
  fault("apply-reply-id-moved", "writes `id` of ApplyImport under another number, so that clients miss it")
    .breaks("apply-import.returns-id")
    .checkedBy("case apply-new-network")
    .withNumbers("ProxySubscriptionApplyResponse", { id: 4 }),
  fault("apply-reply-id-and-count-swapped", "swaps the numbers of `id` and `imported_count` in replies of ApplyImport")
    .breaks("select-node.preview-ordinals")
    .withNumbers("ProxySubscriptionApplyResponse", { id: 2, imported_count: 1 }),
  fault("id-zigzag", "writes `id` as sint32")
    .breaks("select-node.returns-id")
    .checkedBy(...selecting)
    .withType("ProxySubscriptionSelectResponse", "id", Type.SINT32),
  fault("ordinal-as-bool", "writes `selected_ordinal` as bool")
    .breaks("select-node.returns-selected-ordinal")
    .checkedBy(...selecting)
    .by({
      ...withType("ProxySubscriptionSelectResponse", "selected_ordinal", Type.BOOL),
      ...changesRpc("selectNode", (select) => async (...call) => {
        const reply = await select(...call);
        return { ...reply, selectedOrdinal: untyped(reply.selectedOrdinal !== 0) };
      }),
    }),
  fault("id-as-text", "writes `id` as a string")
    .breaks("wire.proto3")
    .checkedBy(...selecting)
    .by({
      ...withType("ProxySubscriptionSelectResponse", "id", Type.STRING),
      ...changesRpc("selectNode", (select) => async (...call) => {
        const reply = await select(...call);
        return { ...reply, id: untyped(`${reply.id}`) };
      }),
    }),
  fault("id-fixed32", "writes `id` in the wire type of fixed32")
    .breaks("wire.proto3")
    .checkedBy(...selecting)
    .withType("ProxySubscriptionSelectResponse", "id", Type.FIXED32),
  fault("count-as-double", "writes `compatible_count` as double")
    .breaks("wire.proto3")
    .checkedBy("case preview-trojan-list")
    .withType("ProxySubscriptionPreviewResponse", "compatible_count", Type.DOUBLE),
  fault("nodes-under-warnings-number", "writes the nodes of a preview under the number of its warnings")
    .breaks("wire.proto3")
    .checkedBy("case preview-trojan-list")
    .withNumbers("ProxySubscriptionPreviewResponse", { node: 7, warnings: 5 }),
  fault("select-replies-preview", "returns a preview from SelectNode")
    .breaks("wire.proto3")
    .checkedBy(...selecting)
    .by({
      contract: ({ service: [service] }) => {
        const select = service?.method.find(({ name }) => name === "SelectNode");
        if (select !== undefined) select.outputType = ".proxydaemon.v1.ProxySubscriptionPreviewResponse";
      },
      ...changesRpc(
        "selectNode",
        () => () => untyped({ suggestedName: "Northwind", detectedFormat: "uri-list", compatibleCount: 2 }),
      ),
    }),
]);

/** A value for a field or reply that has another type in the changed contract. */
function untyped(value: unknown): never {
  return value as never;
}
