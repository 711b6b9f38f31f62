import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ProxySubscriptionPreviewResponseSchema } from "../../../src/daemon/index.js";
import type { Import, ImportedNode } from "../import/import-subscription.js";
import { nodeName } from "../import/node-name.js";
import { rejectionReasons } from "../import/rejection.js";
import { runtimeSupport } from "./runtime-support.js";

type Preview = MessageInitShape<typeof ProxySubscriptionPreviewResponseSchema>;
type NodePreview = NonNullable<Preview["node"]>[number];

/** Describes an import as the reply of PreviewImport. Long lists are described in turns: it yields where others may have one. */
export function* describePreview({ suggestedName, format, nodes, rejected }: Import): Generator<void, Preview> {
  const node: NodePreview[] = [];
  for (const [index, imported] of nodes.entries()) {
    if (index % nodesInATurn === nodesInATurn - 1) yield;
    node.push(describeNode(imported));
  }
  yield;
  return {
    suggestedName,
    detectedFormat: format ?? "",
    compatibleCount: nodes.length,
    rejectedCount: rejected.length,
    node,
    rejected: rejected.map(({ reason, ...entry }) => ({ ...entry, reason: rejectionReasons[reason] })),
    warnings: overallWarnings(node, rejected.length),
  };
}

const nodesInATurn = 10_000;

function describeNode({ ordinal, node }: ImportedNode): NodePreview {
  const { protocol, server, port } = node;
  const { runtimeSupported, warnings } = runtimeSupport(node);
  return { ordinal, name: nodeName(node), protocol, server, port, runtimeSupported, warnings: [...warnings] };
}

function overallWarnings(nodes: readonly NodePreview[], rejected: number): string[] {
  const all = nodes.length + rejected;
  if (all === 0) return ["The subscription is empty."];
  const warnings: string[] = [];
  if (rejected > 0)
    warnings.push(
      `${rejected} of ${all} ${all === 1 ? "entry" : "entries"} ${rejected === 1 ? "was" : "were"} rejected.`,
    );
  if (nodes.length > 0 && !nodes.some((node) => node.runtimeSupported))
    warnings.push("The runtime supports none of the nodes.");
  return warnings;
}
