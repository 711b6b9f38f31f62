import { promisify } from "node:util";
import { constants, deflateRaw, inflateRawSync } from "node:zlib";
import type { ImportedNode } from "../import/entry.js";
import type { NodeBlock } from "../storage/tables.js";

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
    const ordinals = Buffer.alloc(some.length * ordinalBytes);
    for (const [index, { ordinal }] of some.entries()) ordinals.writeUInt32LE(ordinal, index * ordinalBytes);
    const json = JSON.stringify(some.map(({ node }) => node));
    const packed = await compress(json, { level: constants.Z_BEST_SPEED });
    blocks.push({ first_ordinal: some[0]?.ordinal ?? 0, ordinals, nodes: packed });
  }
  return blocks;
}

/** The ordinals of the nodes in a block, ascending. */
export function ordinalsOf({ ordinals }: Pick<NodeBlock, "ordinals">): number[] {
  const bytes = Buffer.from(ordinals);
  return Array.from({ length: bytes.length / ordinalBytes }, (_, index) => bytes.readUInt32LE(index * ordinalBytes));
}

/** Returns the node with this ordinal; undefined if the block does not contain it. */
export function unpackNode(block: NodeBlock, ordinal: number): ImportedNode["node"] | undefined {
  const position = ordinalsOf(block).indexOf(ordinal);
  if (position < 0) return undefined;
  const all: ImportedNode["node"][] = JSON.parse(inflateRawSync(block.nodes).toString());
  return all[position];
}
