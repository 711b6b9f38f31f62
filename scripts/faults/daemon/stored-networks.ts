import type { ProxyNode } from "../../../reference/daemon/import/proxy-node.js";
import { findBlock } from "../../../reference/daemon/networks/find-network.js";
import { unpackNode } from "../../../reference/daemon/networks/node-block.js";
import type { Services } from "../../../reference/daemon/services.js";
import { builder } from "../../../reference/daemon/storage/database.js";
import type { Network } from "../../../reference/daemon/storage/tables.js";

/** The record of a network, as stored. Undefined if there is none. */
export function storedNetwork({ database }: Services, id: number): Network | undefined {
  return database.first(builder.selectFrom("network").selectAll().where("id", "=", id));
}

/** Overwrites fields of one network or, without an id, of every network. */
export function overwrite({ database }: Services, fields: Partial<Omit<Network, "id">>, id?: number): void {
  const update = builder.updateTable("network").set(fields);
  database.run(id === undefined ? update : update.where("id", "=", id));
}

/** The ordinals of the stored nodes of a network, ascending. */
export function storedOrdinals({ database }: Services, id: number): number[] {
  const blocks = database.all(
    builder.selectFrom("node_block").select("ordinals").where("network_id", "=", id).orderBy("first_ordinal"),
  );
  return blocks.flatMap(({ ordinals }) => {
    const bytes = Buffer.from(ordinals);
    return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(index * 4));
  });
}

/** A stored node of a network. Undefined if there is none with the ordinal. */
export function storedNode({ database }: Services, id: number, ordinal: number): ProxyNode | undefined {
  const block = findBlock(database, id, ordinal);
  return block === undefined ? undefined : unpackNode(block, ordinal);
}

/** Deletes the stored nodes of a network. */
export function deleteNodes({ database }: Services, id: number): void {
  database.run(builder.deleteFrom("node_block").where("network_id", "=", id));
}
