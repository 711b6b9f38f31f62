import type { Generated, Selectable } from "kysely";

/** A network record. */
export interface NetworkTable {
  /** From 1; never given twice. */
  id: Generated<number>;
  /** The number of a `NetworkType`. */
  type: number;
  name: string;
  /** The ordinal of the selected node; 0 when none is. */
  selected_ordinal: Generated<number>;
}

/** Some neighbouring nodes of a network, in the order of their ordinals. One row for each node would take too long to write. */
export interface NodeBlockTable {
  network_id: number;
  /** The ordinal of the first node. */
  first_ordinal: number;
  /** All ordinals, as unsigned integers of 32 bits, little-endian. */
  ordinals: Uint8Array;
  /** The nodes as a JSON array, compressed (RFC 1951). */
  nodes: Uint8Array;
}

/** The schema as the newest migration leaves it. */
export interface Tables {
  network: NetworkTable;
  node_block: NodeBlockTable;
}

export type Network = Selectable<NetworkTable>;
