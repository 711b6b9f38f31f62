import type { Entry } from "../../../../../reference/daemon/import/entry.js";
import type { ProxyNode } from "../../../../../reference/daemon/import/proxy-node.js";

/** A link, and how its node differs from the default one. */
export type Row = readonly [link: string, want: Pick<ProxyNode, "protocol"> & Partial<ProxyNode>];

/** The entry of a node: h.example:443 over plain TCP, unless `want` differs. */
export function nodeOf(want: Row[1]): Entry {
  return { kind: "node", node: { ...usual, ...want } };
}

const usual: Omit<ProxyNode, "protocol"> = {
  name: "",
  server: "h.example",
  port: 443,
  transport: "tcp",
  security: "none",
  checksCertificate: true,
  settings: {},
};
