import type { Generated, Selectable } from "kysely";

/** A network record. */
export interface NetworkTable {
  /** Starts at 1; never reused. */
  id: Generated<number>;
  /** The number of a `NetworkType` value. */
  type: number;
  name: string;
  /** The ordinal of the selected node; 0 if none is selected. */
  selected_ordinal: Generated<number>;
}

/** Consecutive nodes of a network, by ascending ordinal. Writing a row per node would take too long. */
export interface NodeBlockTable {
  network_id: number;
  /** The ordinal of the first node. */
  first_ordinal: number;
  /** All ordinals as unsigned 32-bit integers, little-endian. */
  ordinals: Uint8Array;
  /** The nodes as a JSON array, compressed (RFC 1951). */
  nodes: Uint8Array;
}

/** The schema after the newest migration. */
export interface Tables {
  network: NetworkTable;
  node_block: NodeBlockTable;
}

export type Network = Selectable<NetworkTable>;
