/** A network record. */
export interface Network {
  /** Starts at 1; never reused. */
  readonly id: number;
  /** The number of a `NetworkType` value. */
  readonly type: number;
  readonly name: string;
  /** The ordinal of the selected node; 0 if none is selected. */
  readonly selected_ordinal: number;
}

/** Consecutive nodes of a network, by ascending ordinal. Writing a row per node would take too long. */
export interface NodeBlock {
  /** The ordinal of the first node. */
  readonly first_ordinal: number;
  /** All ordinals as unsigned 32-bit integers, little-endian. */
  readonly ordinals: Uint8Array;
  /** The nodes as a JSON array, compressed (RFC 1951). */
  readonly nodes: Uint8Array;
}
