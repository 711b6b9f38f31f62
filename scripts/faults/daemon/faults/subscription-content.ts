import { Code, ConnectError } from "@connectrpc/connect";
import type { ImportedNode } from "../../../../reference/daemon/import/entry.js";
import { ofFamily } from "../../fault.js";
import { changesRpc } from "../changed-handlers.js";
import { fault } from "../describe.js";
import type { DaemonFault } from "../fault.js";

/** Entries that are lost or changed while a subscription is read. */
export const contentFaults: readonly DaemonFault[] = ofFamily("subscription content", [
  fault("last-entry-lost", "does not read the last entry of a subscription")
    .breaks("preview-import.complete")
    .reads(({ nodes, rejected }) => {
      const last = Math.max(...nodes.map(({ ordinal }) => ordinal), ...rejected.map(({ ordinal }) => ordinal));
      const isEarlier = ({ ordinal }: { readonly ordinal: number }) => ordinal < last;
      return { nodes: nodes.filter(isEarlier), rejected: rejected.filter(isEarlier) };
    }),
  fault("stops-at-rejected-entry", "reads nothing after the first rejected entry")
    .breaks("preview-import.complete", "preview-import.ordinals")
    .checkedBy("case preview-clash-proxies")
    .reads(({ nodes, rejected }) => {
      const first = rejected[0]?.ordinal ?? Number.POSITIVE_INFINITY;
      return { nodes: nodes.filter(({ ordinal }) => ordinal < first), rejected: rejected.slice(0, 1) };
    }),
  fault("names-as-latin1", "reads the UTF-8 of node names as Latin-1")
    .breaks("preview-import.node-fields")
    .checkedBy("case preview-links-of-every-kind")
    .reads(({ nodes, rejected }) => ({ nodes: nodes.map(asLatin1), rejected })),
  fault("ordinals-in-one-byte", "numbers entry 257 of a subscription as entry 1")
    .breaks("preview-import.ordinals")
    .checkedBy("case preview-long-list")
    .reads(({ nodes, rejected }) => ({ nodes: nodes.map(inOneByte), rejected: rejected.map(inOneByte) })),
  fault("comments-refused", "refuses a subscription of comments alone")
    .breaks("preview-import.empty")
    .checkedBy("case preview-comments")
    .by(
      changesRpc("previewImport", (honest) => async (...call) => {
        const preview = await honest(...call);
        const entries = (preview.compatibleCount ?? 0) + (preview.rejectedCount ?? 0);
        if (preview.detectedFormat !== "uri-list" || entries > 0) return preview;
        throw new ConnectError("The format is not known", Code.InvalidArgument);
      }),
    ),
]);

function asLatin1({ ordinal, node }: ImportedNode): ImportedNode {
  return { ordinal, node: { ...node, name: Buffer.from(node.name).toString("latin1") } };
}

function inOneByte<Entry extends { readonly ordinal: number }>(entry: Entry): Entry {
  return { ...entry, ordinal: ((entry.ordinal - 1) % 256) + 1 };
}
