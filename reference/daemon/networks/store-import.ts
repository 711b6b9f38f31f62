import { isDeepStrictEqual } from "node:util";
import { NetworkType } from "../../../src/daemon/index.js";
import type { ImportedNode } from "../import/entry.js";
import type { ProxyNode } from "../import/proxy-node.js";
import type { Database } from "../storage/database.js";
import type { Network, NodeBlock } from "../storage/tables.js";
import { findBlock, findSubscription } from "./find-network.js";
import { unpackNode } from "./node-block.js";

/** An import to store. */
export interface ImportToStore {
  /** 0 creates a network record; any other id replaces the nodes of that record. */
  readonly id: number;
  /** If empty, an existing record keeps its name. */
  readonly name: string;
  /** 0 keeps the selected node of an existing record, if the import contains it. */
  readonly selectedOrdinal: number;
  readonly nodes: readonly ImportedNode[];
  /** The same nodes, packed. */
  readonly blocks: readonly NodeBlock[];
}

/** Stores an import in one transaction. Throws, and stores nothing, if the record does not exist. */
export function storeImport(database: Database, wanted: ImportToStore): { id: number; selectedOrdinal: number } {
  return database.transaction(() => {
    const network = wanted.id === 0 ? undefined : findSubscription(database, wanted.id);
    const selected = wanted.selectedOrdinal || (network === undefined ? 0 : sameNode(database, network, wanted.nodes));
    const id = network?.id ?? addNetwork(database, wanted.name);
    const name = wanted.name || (network?.name ?? "");
    database.run("update network set name = ?, selected_ordinal = ? where id = ?", name, selected, id);
    database.run("delete from node_block where network_id = ?", id);
    for (const { first_ordinal, ordinals, nodes } of wanted.blocks)
      database.run("insert into node_block values (?, ?, ?, ?)", id, first_ordinal, ordinals, nodes);
    return { id, selectedOrdinal: selected };
  });
}

function addNetwork(database: Database, name: string): number {
  return database.run("insert into network (type, name) values (?, ?)", NetworkType.ProxySubscription, name);
}

/**
 * Finds the ordinal of the selected node in the new list, because a provider may have moved it; 0 if it is gone. Of
 * several candidates, prefers one with the same settings, then the one with the same ordinal.
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
