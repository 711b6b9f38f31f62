import { reusableQuery } from "../../storage/database.js";
import { builder, type Database } from "../storage/database.js";
import type { NodeBlock } from "./node-block.js";

const before = reusableQuery((networkId: number, ordinal: number) =>
  builder
    .selectFrom("node_block")
    .select(["ordinals", "nodes"])
    .where("network_id", "=", networkId)
    .where("first_ordinal", "<=", ordinal)
    .orderBy("first_ordinal", "desc")
    .limit(1),
);

/** The block in which a node with this ordinal would be. */
export function findBlock(
  database: Database,
  networkId: number,
  ordinal: number,
): Pick<NodeBlock, "ordinals" | "nodes"> | undefined {
  return database.first(before(networkId, ordinal));
}
