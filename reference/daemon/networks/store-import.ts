import { isDeepStrictEqual } from "node:util";
import { NetworkType } from "../../../src/daemon/index.js";
import type { ImportedNode } from "../import/entry.js";
import type { ProxyNode } from "../import/proxy-node.js";
import { builder, type Database } from "../storage/database.js";
import type { Network } from "../storage/tables.js";
import { findBlock, findSubscription } from "./find-network.js";
import { type NodeBlock, unpackNode } from "./node-block.js";

/** What is stored of an import. */
export interface ImportToStore {
  /** 0 makes a network record; any other replaces the nodes of the record that has it. */
  readonly id: number;
  /** Empty leaves the name of a record as it is. */
  readonly name: string;
  /** 0 keeps the selected node of a record, if the import has it. */
  readonly selectedOrdinal: number;
  readonly nodes: readonly ImportedNode[];
  /** The same nodes, packed. */
  readonly blocks: readonly NodeBlock[];
}

/** Writes an import in one transaction. Throws, and writes nothing, when the record is not there. */
export function storeImport(database: Database, wanted: ImportToStore): { id: number; selectedOrdinal: number } {
  return database.transaction(() => {
    const network = wanted.id === 0 ? undefined : findSubscription(database, wanted.id);
    const selected = wanted.selectedOrdinal || (network === undefined ? 0 : sameNode(database, network, wanted.nodes));
    const id = network === undefined ? addNetwork(database, wanted.name) : network.id;
    const changes = { selected_ordinal: selected, ...(wanted.name === "" ? {} : { name: wanted.name }) };
    database.run(builder.updateTable("network").set(changes).where("id", "=", id));
    database.run(builder.deleteFrom("node_block").where("network_id", "=", id));
    for (const { firstOrdinal, ordinals, nodes } of wanted.blocks) {
      const block = { network_id: id, first_ordinal: firstOrdinal, ordinals, nodes };
      database.run(builder.insertInto("node_block").values(block));
    }
    return { id, selectedOrdinal: selected };
  });
}

function addNetwork(database: Database, name: string): number {
  const network = { type: NetworkType.ProxySubscription, name };
  return database.run(builder.insertInto("network").values(network)).insertedId;
}

/**
 * Where the selected node of a record stands in the new list: a provider may have put it elsewhere. 0 when it is gone. Of several that
 * could be it, one with the same settings is preferred, then the one at the same place.
 */
function sameNode(database: Database, network: Network, nodes: readonly ImportedNode[]): number {
  const place = network.selected_ordinal;
  const block = findBlock(database, network.id, place);
  const selected = block === undefined ? undefined : unpackNode(block, place);
  if (selected === undefined) return 0;
  const alike = nodes.filter(({ node }) => isSame(node, selected));
  const equal = alike.filter(({ node }) => isDeepStrictEqual(node, selected));
  const candidates = equal.length > 0 ? equal : alike;
  return (candidates.find(({ ordinal }) => ordinal === place) ?? candidates[0])?.ordinal ?? 0;
}

function isSame(one: ProxyNode, other: ProxyNode): boolean {
  return (
    one.protocol === other.protocol && one.server === other.server && one.port === other.port && one.name === other.name
  );
}
