import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import {
  ProxySubscriptionApplyResponseSchema,
  ProxySubscriptionPreviewResponseSchema,
  ProxySubscriptionSelectResponseSchema,
} from "../../../../src/daemon/index.js";
import { afterApply, changesRpc, combined, previews } from "../changed-handlers.js";
import { variation } from "../describe.js";
import type { DaemonVariation } from "../fault.js";

/** Adds fields of each wire type that the contract lacks. */
function withMore<Desc extends DescMessage>(schema: Desc, init: MessageInitShape<Desc>) {
  const message = create(schema, init);
  message.$unknown = [
    { no: 15, wireType: 0, data: Uint8Array.of(0xac, 0x02) },
    { no: 16, wireType: 2, data: Uint8Array.of(3, 0x6e, 0x65, 0x77) },
    { no: 1000, wireType: 1, data: new Uint8Array(8) },
    { no: 536_870_911, wireType: 5, data: new Uint8Array(4) },
  ];
  return message;
}

/** A varint field with a value below 128. */
function varint(no: number, value: number) {
  return { no, wireType: 0, data: Uint8Array.of(value) };
}

/** Replies that differ where the contract fixes no value. */
export const replyVariations: readonly DaemonVariation[] = [
  variation("unknown-fields", "adds fields that the contract lacks to every reply").by({
    handlers: (honest) => ({
      previewImport: async (...call) =>
        withMore(ProxySubscriptionPreviewResponseSchema, await honest.previewImport(...call)),
      applyImport: async (...call) => withMore(ProxySubscriptionApplyResponseSchema, await honest.applyImport(...call)),
      selectNode: async (...call) => withMore(ProxySubscriptionSelectResponseSchema, await honest.selectNode(...call)),
      loginCancel: () => withMore(EmptySchema, {}),
    }),
  }),
  variation("field-order", "writes the fields of a reply in another order, and one of them twice").by(
    changesRpc("selectNode", (select) => async (...call) => {
      const { id = 0, selectedOrdinal = 0 } = await select(...call);
      const reply = create(ProxySubscriptionSelectResponseSchema);
      reply.$unknown = [varint(2, selectedOrdinal + 1), varint(2, selectedOrdinal), varint(1, id)];
      return reply;
    }),
  ),
  variation("ids-from-1000", "numbers networks from 1000").numbers(
    "ids",
    (id) => id + 999,
    (id) => Math.max(id - 999, 0),
  ),
  variation("ordinals-from-zero", "numbers nodes from 0").numbers(
    "ordinals",
    (ordinal) => ordinal - 1,
    (ordinal) => ordinal + 1,
  ),
  variation("ordinals-far-apart", "numbers nodes in steps of 1000").numbers(
    "ordinals",
    (ordinal) => ordinal * 1000,
    (ordinal) => Math.trunc(ordinal / 1000),
  ),
  variation("lists-in-other-order", "lists nodes and rejected entries in reverse order").previews(
    ({ node, rejected }) => {
      node.reverse();
      rejected.reverse();
    },
  ),
  variation("other-texts", "uses other names, formats, protocols, warnings and reasons").previews((preview) => {
    Object.assign(preview, { suggestedName: "Abonnement", detectedFormat: "SHARE_LINKS" });
    for (const node of preview.node) {
      Object.assign(node, { protocol: "TROJAN", warnings: ["Das Zertifikat wird nicht geprüft."] });
    }
    for (const entry of preview.rejected) Object.assign(entry, { reason: "ungültig", scheme: "" });
    preview.warnings.push("Nicht alles wird unterstützt.");
  }),
  variation("other-counts", "counts an unsupported node among the rejected entries").previews((preview) => {
    const unsupported = preview.node.filter(({ runtimeSupported }) => !runtimeSupported).length;
    preview.compatibleCount -= unsupported;
    preview.rejectedCount += unsupported;
  }),
  variation(
    "counts-without-lists",
    "counts the entries of a subscription, and lists only nodes with warnings",
  ).previews((preview) => {
    preview.node = preview.node.filter(({ warnings }) => warnings.length > 0);
    preview.rejected = [];
  }),
  variation(
    "counts-nothing",
    "lists the entries of a subscription without counting them, and returns neither id nor selection of an import",
  ).by(
    combined(
      previews((preview) => {
        Object.assign(preview, { compatibleCount: 0, rejectedCount: 0 });
      }),
      afterApply(() => ({ id: 0, selectedOrdinal: 0 })),
    ),
  ),
  variation("names-only", "returns only ordinals and names of nodes in a preview").previews((preview) => {
    Object.assign(preview, { suggestedName: "", detectedFormat: "", compatibleCount: 0, rejectedCount: 0 });
    Object.assign(preview, { rejected: [], warnings: [] });
    for (const node of preview.node) Object.assign(node, { protocol: "", server: "", port: 0, warnings: [] });
  }),
];
