import { daemonError, NetworkType } from "../../../src/daemon/index.js";
import type { Database } from "../storage/database.js";
import type { Network, NodeBlock } from "../storage/tables.js";

/** Finds the network record of an imported subscription. Throws if the id is unknown or the record has another type. */
export function findSubscription(database: Database, id: number): Network {
  const [network] = database.all<Network>("select * from network where id = ?", id);
  if (network === undefined) throw daemonError({ kind: "unknown-network", id });
  if (network.type !== NetworkType.ProxySubscription) throw daemonError({ kind: "not-a-subscription", id });
  return network;
}

/** Finds the block whose range includes an ordinal. */
export function findBlock(database: Database, networkId: number, ordinal: number): NodeBlock | undefined {
  const [block] = database.all<NodeBlock>(
    "select * from node_block where network_id = ? and first_ordinal <= ? order by first_ordinal desc limit 1",
    networkId,
    ordinal,
  );
  return block;
}
