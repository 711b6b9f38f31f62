import { type DaemonHandlers, daemonError } from "../../src/daemon/index.js";
import { reusableQuery } from "../storage/database.js";
import { findBlock, findSubscription } from "./networks/find-network.js";
import { holdsOrdinal } from "./networks/node-block.js";
import type { Services } from "./services.js";
import { builder } from "./storage/database.js";

const select = reusableQuery((id: number, ordinal: number) =>
  builder.updateTable("network").set({ selected_ordinal: ordinal }).where("id", "=", id),
);

/**
 * Selects a node of a network; ordinal 0 clears the selection. Nodes that the runtime does not support can also be
 * selected.
 */
export function selectNode({ database }: Services): DaemonHandlers["selectNode"] {
  return async ({ id, selectedOrdinal }) => {
    if (id < 0) throw daemonError({ kind: "negative-id" });
    if (selectedOrdinal < 0) throw daemonError({ kind: "negative-ordinal" });
    const since = database.position();
    const network = findSubscription(database, id);
    if (network.selected_ordinal !== selectedOrdinal) {
      if (selectedOrdinal !== 0) {
        const block = findBlock(database, id, selectedOrdinal);
        if (block === undefined || !holdsOrdinal(block.ordinals, selectedOrdinal))
          throw daemonError({ kind: "no-such-node", id, ordinal: selectedOrdinal });
      }
      database.run(select(id, selectedOrdinal));
    }
    // The selection may include a write of this turn that is not on the disk yet.
    await database.settled(since);
    return { id, selectedOrdinal };
  };
}
