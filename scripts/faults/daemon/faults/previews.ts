import type { ProxySubscriptionPreviewResponse } from "../../../../src/daemon/index.js";
import { ofFamily } from "../../fault.js";
import type { DaemonBehaviour } from "../behaviour.js";
import { changesRpc, previews } from "../changed-handlers.js";
import { fault } from "../describe.js";
import type { DaemonFault } from "../fault.js";

/** Previews that differ from the content of the subscription. */
export const previewFaults: readonly DaemonFault[] = ofFamily("previews", [
  fault("preview-last-node-lost", "lists all nodes of a preview except the last, which it counts")
    .breaks("preview-import.counts")
    .checkedBy("case preview-sing-box-outbounds")
    .previews(({ node }) => {
      node.pop();
    }),
  fault("preview-port-overflows", "returns ports above 32767 as negative numbers")
    .breaks("preview-import.node-fields")
    .checkedBy("case preview-links-of-every-kind")
    .previews(({ node }) => {
      for (const one of node) one.port = (one.port << 16) >> 16;
    }),
  fault("preview-node-warnings-hoisted", "returns the warnings of nodes as overall warnings")
    .breaks("preview-import.runtime-warnings")
    .checkedBy("case preview-clash-proxies")
    .previews(({ node, warnings }) => {
      for (const one of node) warnings.push(...one.warnings.splice(0));
    }),
  fault("preview-first-page-only", "lists and counts only the first 100 nodes of a preview")
    .breaks("preview-import.complete")
    .previews((preview) => {
      preview.node.splice(100);
      preview.compatibleCount = preview.node.length;
    }),
  fault(
    "preview-same-reasons-merged",
    "lists and counts only one of several rejected entries that have the same reason",
  )
    .breaks("preview-import.complete")
    .checkedBy("case preview-links-of-every-kind")
    .previews((preview) => {
      preview.rejected = [...new Map(preview.rejected.map((one) => [one.reason, one])).values()];
      preview.rejectedCount = preview.rejected.length;
    }),
  fault("preview-same-names-merged", "lists only one of several nodes that have the same name")
    .breaks("preview-import.complete", "preview-import.ordinals")
    .checkedBy("case preview-links-of-every-kind")
    .previews((preview) => {
      preview.node = [...new Map(preview.node.map((one) => [one.name, one])).values()];
      preview.compatibleCount = preview.node.length;
    }),
  fault(
    "preview-numbered-after-sorting",
    "sorts the nodes by name before it numbers them in a preview, but not in an import",
  )
    .breaks("preview-import.node-fields")
    .checkedBy("case preview-clash-proxies")
    .previews(({ node }) => {
      const ordinals = node.map(({ ordinal }) => ordinal);
      node.sort((one, other) => (one.name < other.name ? -1 : 1));
      for (const [index, one] of node.entries()) one.ordinal = ordinals[index] ?? 0;
    }),
  fault("preview-empty-shows-previous", "returns the previous preview for a subscription without entries")
    .breaks("preview-import.empty")
    .checkedBy("case preview-nothing")
    .by(showsPrevious()),
  fault(
    "preview-named-after-path",
    "suggests the last segment of the path as the name of a subscription that it has fetched",
  )
    .breaks("preview-import.suggests-name")
    .checkedBy("case preview-named-by-file")
    .previews((preview, url) => {
      preview.suggestedName = new URL(url).pathname.split("/").at(-1) ?? "";
    }),
  fault("preview-quotes-rejected-entry", "quotes a rejected entry, with its password, in the reason")
    .breaks("preview-import.reasons")
    .checkedBy("case preview-links-of-every-kind")
    .previews(async ({ rejected }, url) => {
      if (rejected.length === 0) return;
      const lines = (await fetchText(new URL(url))).split("\n");
      for (const entry of rejected) entry.reason = `Cannot parse "${lines[entry.ordinal - 1]}"`;
    }),
  fault("preview-concurrent-empty", "returns an empty preview while it previews the same URL for another call")
    .breaks("service.overlapping-calls")
    .checkedBy("case preview-by-two-callers")
    .by(
      changesRpc("previewImport", (preview) => {
        const underWay = new Set<string>();
        return async (request, context) => {
          if (underWay.has(request.url)) return {};
          underWay.add(request.url);
          try {
            return await preview(request, context);
          } finally {
            underWay.delete(request.url);
          }
        };
      }),
    ),
]);

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

async function fetchText(url: URL): Promise<string> {
  const authorization = `Basic ${btoa(decodeURIComponent(`${url.username}:${url.password}`))}`;
  Object.assign(url, { username: "", password: "" });
  return (await fetch(url, { headers: { authorization } })).text();
}
