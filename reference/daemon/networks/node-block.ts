import { promisify } from "node:util";
import { constants, deflateRaw, inflateRawSync } from "node:zlib";
import type { ImportedNode } from "../import/entry.js";

/** Consecutive nodes in their stored form. */
export interface NodeBlock {
  readonly firstOrdinal: number;
  readonly ordinals: Uint8Array;
  readonly nodes: Uint8Array;
}

const nodesPerBlock = 250;
const ordinalBytes = 4;
const compress = promisify(deflateRaw);

/**
 * Packs nodes into blocks, so that a transaction writes hundreds of rows instead of 100,000. Compresses the blocks one
 * by one on other threads, which leaves the event loop free.
 */
export async function packNodes(nodes: readonly ImportedNode[]): Promise<NodeBlock[]> {
  const blocks: NodeBlock[] = [];
  for (let start = 0; start < nodes.length; start += nodesPerBlock) {
    const some = nodes.slice(start, start + nodesPerBlock);
    const json = JSON.stringify(some.map(({ node }) => node));
    blocks.push({
      firstOrdinal: some[0]?.ordinal ?? 0,
      ordinals: writeOrdinals(some.map(({ ordinal }) => ordinal)),
      nodes: await compress(json, { level: constants.Z_BEST_SPEED }),
    });
  }
  return blocks;
}

/** Whether a block with these ordinals contains a node. */
export function holdsOrdinal(ordinals: Uint8Array, ordinal: number): boolean {
  return positionOf(ordinals, ordinal) !== undefined;
}

/** Returns the node with this ordinal; undefined if the block does not contain it. */
export function unpackNode(
  { ordinals, nodes }: Pick<NodeBlock, "ordinals" | "nodes">,
  ordinal: number,
): ImportedNode["node"] | undefined {
  const position = positionOf(ordinals, ordinal);
  if (position === undefined) return undefined;
  const all: ImportedNode["node"][] = JSON.parse(inflateRawSync(nodes).toString());
  return all[position];
}

function writeOrdinals(ordinals: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(ordinals.length * ordinalBytes);
  for (const [index, ordinal] of ordinals.entries()) bytes.writeUInt32LE(ordinal, index * ordinalBytes);
  return bytes;
}

/** Finds an ordinal by binary search, because ordinals ascend. */
function positionOf(ordinals: Uint8Array, ordinal: number): number | undefined {
  const view = new DataView(ordinals.buffer, ordinals.byteOffset, ordinals.byteLength);
  let low = 0;
  let high = ordinals.byteLength / ordinalBytes - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = view.getUint32(middle * ordinalBytes, true);
    if (found === ordinal) return middle;
    if (found < ordinal) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}
