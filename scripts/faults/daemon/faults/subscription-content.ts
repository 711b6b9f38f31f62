import { Code, ConnectError } from "@connectrpc/connect";
import type { ImportedNode } from "../../../../reference/daemon/import/entry.js";
import type { DaemonBehaviour } from "../behaviour.js";
import { reads } from "../changed-handlers.js";
import { caught, type DaemonDetection, type DaemonFault } from "../fault.js";

/** Subscriptions that previews and imports read in the same wrong way. */
function fault(name: string, summary: string, detection: DaemonDetection, behaviour: DaemonBehaviour): DaemonFault {
  return { name, family: "subscription content", summary, ...detection, behaviour };
}

/** Entries that are lost or changed while a subscription is read. */
export const contentFaults: readonly DaemonFault[] = [
  fault(
    "last-entry-lost",
    "does not read the last entry of a subscription",
    caught("case preview-long-list", "preview-import.complete"),
    reads(({ nodes, rejected }) => {
      const last = Math.max(...nodes.map(({ ordinal }) => ordinal), ...rejected.map(({ ordinal }) => ordinal));
      const isEarlier = ({ ordinal }: { readonly ordinal: number }) => ordinal < last;
      return { nodes: nodes.filter(isEarlier), rejected: rejected.filter(isEarlier) };
    }),
  ),
  fault(
    "stops-at-rejected-entry",
    "reads nothing after the first rejected entry",
    caught("case preview-clash-proxies", "preview-import.counts", "preview-import.ordinals"),
    reads(({ nodes, rejected }) => {
      const first = rejected[0]?.ordinal ?? Number.POSITIVE_INFINITY;
      return { nodes: nodes.filter(({ ordinal }) => ordinal < first), rejected: rejected.slice(0, 1) };
    }),
  ),
  fault(
    "names-as-latin1",
    "reads the UTF-8 of node names as Latin-1",
    caught("case preview-links-of-every-kind", "preview-import.node-fields"),
    reads(({ nodes, rejected }) => ({ nodes: nodes.map(asLatin1), rejected })),
  ),
  fault(
    "ordinals-in-one-byte",
    "numbers entry 257 of a subscription as entry 1",
    caught("case preview-long-list", "preview-import.ordinals"),
    reads(({ nodes, rejected }) => ({ nodes: nodes.map(inOneByte), rejected: rejected.map(inOneByte) })),
  ),
  fault(
    "comments-refused",
    "refuses a subscription of comments alone",
    caught("case preview-comments", "preview-import.empty"),
    refusesCommentsAlone(),
  ),
];

function refusesCommentsAlone(): DaemonBehaviour {
  return {
    handlers: (honest) => ({
      ...honest,
      previewImport: async (...call) => {
        const preview = await honest.previewImport(...call);
        const entries = (preview.compatibleCount ?? 0) + (preview.rejectedCount ?? 0);
        if (preview.detectedFormat !== "uri-list" || entries > 0) return preview;
        throw new ConnectError("The format is not known", Code.InvalidArgument);
      },
    }),
  };
}

function asLatin1({ ordinal, node }: ImportedNode): ImportedNode {
  return { ordinal, node: { ...node, name: Buffer.from(node.name).toString("latin1") } };
}

function inOneByte<Entry extends { readonly ordinal: number }>(entry: Entry): Entry {
  return { ...entry, ordinal: ((entry.ordinal - 1) % 256) + 1 };
}
