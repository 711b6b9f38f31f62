import { create } from "@bufbuild/protobuf";
import {
  type ProxySubscriptionPreviewResponse,
  ProxySubscriptionPreviewResponseSchema,
} from "../../../../src/daemon/index.js";
import type { DaemonBehaviour } from "../behaviour.js";
import { previews } from "../changed-handlers.js";
import { caught, type DaemonDetection, type DaemonFault } from "../fault.js";

/** Previews with a wrong value. */
function fault(name: string, summary: string, detection: DaemonDetection, behaviour: DaemonBehaviour): DaemonFault {
  return { name, family: "previews", summary, ...detection, behaviour };
}

/** Previews that differ from the content of the subscription. */
export const previewFaults: readonly DaemonFault[] = [
  fault(
    "preview-last-node-lost",
    "lists all nodes of a preview except the last, which it counts",
    caught("case preview-sing-box-outbounds", "preview-import.counts"),
    previews(({ node }) => {
      node.pop();
    }),
  ),
  fault(
    "preview-port-overflows",
    "returns ports above 32767 as negative numbers",
    caught("case preview-links-of-every-kind", "preview-import.node-fields"),
    previews(({ node }) => {
      for (const one of node) one.port = (one.port << 16) >> 16;
    }),
  ),
  fault(
    "preview-node-warnings-hoisted",
    "returns the warnings of nodes as overall warnings",
    caught("case preview-clash-proxies", "preview-import.runtime-warnings"),
    previews(({ node, warnings }) => {
      for (const one of node) warnings.push(...one.warnings.splice(0));
    }),
  ),
  fault(
    "preview-first-page-only",
    "lists and counts only the first 100 nodes of a preview",
    caught("case preview-long-list", "preview-import.complete"),
    previews((preview) => {
      preview.node.splice(100);
      preview.compatibleCount = preview.node.length;
    }),
  ),
  fault(
    "preview-same-reasons-merged",
    "lists and counts only one of several rejected entries that have the same reason",
    caught("case preview-links-of-every-kind", "preview-import.counts"),
    previews((preview) => {
      preview.rejected = [...new Map(preview.rejected.map((one) => [one.reason, one])).values()];
      preview.rejectedCount = preview.rejected.length;
    }),
  ),
  fault(
    "preview-same-names-merged",
    "lists only one of several nodes that have the same name",
    caught("case preview-links-of-every-kind", "preview-import.counts", "preview-import.ordinals"),
    previews((preview) => {
      preview.node = [...new Map(preview.node.map((one) => [one.name, one])).values()];
      preview.compatibleCount = preview.node.length;
    }),
  ),
  fault(
    "preview-numbered-after-sorting",
    "sorts the nodes by name before it numbers them in a preview, but not in an import",
    caught("case preview-clash-proxies", "preview-import.node-fields"),
    previews(({ node }) => {
      const ordinals = node.map(({ ordinal }) => ordinal);
      node.sort((one, other) => (one.name < other.name ? -1 : 1));
      for (const [index, one] of node.entries()) one.ordinal = ordinals[index] ?? 0;
    }),
  ),
  fault(
    "preview-empty-shows-previous",
    "returns the previous preview for a subscription without entries",
    caught("case preview-nothing", "preview-import.empty", "preview-import.counts"),
    showsPrevious(),
  ),
  fault(
    "preview-named-after-path",
    "suggests the last segment of the path as the name of a subscription that it has fetched",
    caught("case preview-named-by-file", "preview-import.suggests-name"),
    previews((preview, url) => {
      preview.suggestedName = new URL(url).pathname.split("/").at(-1) ?? "";
    }),
  ),
  fault(
    "preview-quotes-rejected-entry",
    "quotes a rejected entry, with its password, in the reason",
    caught("case preview-links-of-every-kind", "preview-import.reasons"),
    previews(async ({ rejected }, url) => {
      if (rejected.length === 0) return;
      const lines = (await fetchText(new URL(url))).split("\n");
      for (const entry of rejected) entry.reason = `Cannot parse "${lines[entry.ordinal - 1]}"`;
    }),
  ),
  fault(
    "preview-concurrent-empty",
    "returns an empty preview while it previews the same URL for another call",
    caught("case preview-by-two-callers", "service.overlapping-calls"),
    secondEmpty(),
  ),
];

function showsPrevious(): DaemonBehaviour {
  return {
    handlers: (honest, log, services) => {
      let previous: ProxySubscriptionPreviewResponse | undefined;
      const remembering = previews((preview) => {
        const isEmpty = preview.node.length + preview.rejected.length === 0;
        if (isEmpty && previous !== undefined) Object.assign(preview, previous);
        previous = preview;
      });
      return remembering.handlers?.(honest, log, services) ?? honest;
    },
  };
}

function secondEmpty(): DaemonBehaviour {
  return {
    handlers: (honest) => {
      const underWay = new Set<string>();
      return {
        ...honest,
        previewImport: async (request, context) => {
          if (underWay.has(request.url)) return create(ProxySubscriptionPreviewResponseSchema);
          underWay.add(request.url);
          try {
            return await honest.previewImport(request, context);
          } finally {
            underWay.delete(request.url);
          }
        },
      };
    },
  };
}

async function fetchText(url: URL): Promise<string> {
  const authorization = `Basic ${btoa(decodeURIComponent(`${url.username}:${url.password}`))}`;
  Object.assign(url, { username: "", password: "" });
  return (await fetch(url, { headers: { authorization } })).text();
}
