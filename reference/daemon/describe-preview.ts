import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ProxySubscriptionPreviewResponseSchema } from "../../src/daemon/index.js";
import { type ImportedNode, rejectionReasons } from "./import/entry.js";
import type { Collector } from "./import/import-subscription.js";
import type { ProxyNode, Security, Transport } from "./import/proxy-node.js";

type Preview = MessageInitShape<typeof ProxySubscriptionPreviewResponseSchema>;
type NodePreview = NonNullable<Preview["node"]>[number];
type Rejection = NonNullable<Preview["rejected"]>[number];

/** Creates the reply of PreviewImport. */
export function createPreview(): Collector<Preview> {
  const node: NodePreview[] = [];
  const rejected: Rejection[] = [];
  return {
    add: (part) => {
      for (const imported of part.nodes) node.push(describeNode(imported));
      for (const { ordinal, scheme, reason } of part.rejected)
        rejected.push({ ordinal, scheme, reason: rejectionReasons[reason] });
    },
    finish: ({ suggestedName, format = "" }) => ({
      suggestedName,
      detectedFormat: format,
      compatibleCount: node.length,
      rejectedCount: rejected.length,
      node,
      rejected,
      warnings: overallWarnings(node, rejected.length),
    }),
  };
}

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

/** Explains why the runtime does not support a node; undefined if it does. It supports only Trojan over TLS on TCP. */
function unsupported({ protocol, transport, security }: ProxyNode): string | undefined {
  if (protocol !== "trojan") return `The runtime does not support ${protocol}.`;
  if (transport !== "tcp") return `The runtime does not support trojan over ${transportNames[transport]}.`;
  if (security !== "tls") return `The runtime does not support trojan ${securityNames[security]}.`;
  return undefined;
}

const transportNames: Readonly<Record<Exclude<Transport, "tcp">, string>> = {
  udp: "UDP",
  websocket: "WebSocket",
  grpc: "gRPC",
  http: "HTTP",
  httpupgrade: "HTTP Upgrade",
  xhttp: "XHTTP",
  kcp: "KCP",
  quic: "QUIC",
};

const securityNames: Readonly<Record<Exclude<Security, "tls">, string>> = {
  none: "without TLS",
  reality: "with REALITY",
};

/** Whether the runtime supports a node, and warnings for users who are about to select it. */
function runtimeSupport(node: ProxyNode): {
  readonly runtimeSupported: boolean;
  readonly warnings: readonly string[];
} {
  const problem = unsupported(node);
  const unchecked = node.checksCertificate ? undefined : "The certificate of the server is not checked.";
  return {
    runtimeSupported: problem === undefined,
    warnings: [problem, unchecked].filter((warning) => warning !== undefined),
  };
}

/** The displayed name of a node: its name, or else its server and port. */
function nodeName({ name, server, port }: ProxyNode): string {
  if (name !== "") return name;
  return `${server.includes(":") ? `[${server}]` : server}:${port}`;
}
