import type { ProxyNode } from "../../../reference/daemon/import/proxy-node.js";
import { findBlock } from "../../../reference/daemon/networks/find-network.js";
import { ordinalsOf, unpackNode } from "../../../reference/daemon/networks/node-block.js";
import type { Services } from "../../../reference/daemon/services.js";
import type { Network, NodeBlock } from "../../../reference/daemon/storage/tables.js";

/** The record of a network, as stored. Undefined if there is none. */
export function storedNetwork({ database }: Services, id: number): Network | undefined {
  return database.all<Network>("select * from network where id = ?", id)[0];
}

/** Overwrites fields of one network or, without an id, of every network. */
export function overwrite({ database }: Services, fields: Partial<Omit<Network, "id">>, id?: number): void {
  const set = Object.keys(fields).map((name) => `${name} = ?`);
  database.run(`update network set ${set.join(", ")} where id = ifnull(?, id)`, ...Object.values(fields), id ?? null);
}

/** The ordinals of the stored nodes of a network, ascending. */
export function storedOrdinals({ database }: Services, id: number): number[] {
  return database
    .all<NodeBlock>("select * from node_block where network_id = ? order by first_ordinal", id)
    .flatMap(ordinalsOf);
}

/** A stored node of a network. Undefined if there is none with the ordinal. */
export function storedNode({ database }: Services, id: number, ordinal: number): ProxyNode | undefined {
  const block = findBlock(database, id, ordinal);
  return block === undefined ? undefined : unpackNode(block, ordinal);
}

/** Deletes the stored nodes of a network. */
export function deleteNodes({ database }: Services, id: number): void {
  database.run("delete from node_block where network_id = ?", id);
}
