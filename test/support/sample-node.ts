import type { ImportedNode } from "../../reference/daemon/import/entry.js";
import type { ProxyNode } from "../../reference/daemon/import/proxy-node.js";

/** A node that the runtime supports, with some fields replaced. */
export function sampleNode(fields: Partial<ProxyNode> = {}): ProxyNode {
  return {
    protocol: "trojan",
    name: "Frankfurt",
    server: "fra1.northwind.example",
    port: 443,
    transport: "tcp",
    security: "tls",
    checksCertificate: true,
    settings: { password: "4q9JmTz2" },
    ...fields,
  };
}

/** Nodes with these ordinals, which are also in their names. */
export function sampleNodes(ordinals: readonly number[]): ImportedNode[] {
  return ordinals.map((ordinal) => ({ ordinal, node: sampleNode({ name: `Node ${ordinal}` }) }));
}
