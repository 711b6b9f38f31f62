import { daemonError, NetworkType } from "../../../src/daemon/index.js";
import { reusableQuery } from "../../storage/database.js";
import { builder, type Database } from "../storage/database.js";
import type { Network } from "../storage/tables.js";
import type { NodeBlock } from "./node-block.js";

const byId = reusableQuery((id: number) => builder.selectFrom("network").selectAll().where("id", "=", id));

/** Finds the network record of an imported subscription. Throws if the id is unknown or the record has another type. */
export function findSubscription(database: Database, id: number): Network {
  const network = database.first(byId(id));
  if (network === undefined) throw daemonError({ kind: "unknown-network", id });
  if (network.type !== NetworkType.ProxySubscription) throw daemonError({ kind: "not-a-subscription", id });
  return network;
}

const before = reusableQuery((networkId: number, ordinal: number) =>
  builder
    .selectFrom("node_block")
    .select(["ordinals", "nodes"])
    .where("network_id", "=", networkId)
    .where("first_ordinal", "<=", ordinal)
    .orderBy("first_ordinal", "desc")
    .limit(1),
);

/** Finds the block whose range includes an ordinal. */
export function findBlock(
  database: Database,
  networkId: number,
  ordinal: number,
): Pick<NodeBlock, "ordinals" | "nodes"> | undefined {
  return database.first(before(networkId, ordinal));
}
