import { type DaemonHandlers, daemonError } from "../../src/daemon/index.js";
import { findBlock, findSubscription } from "./networks/find-network.js";
import { ordinalsOf } from "./networks/node-block.js";
import type { Services } from "./services.js";

/**
 * Selects a node of a network; ordinal 0 clears the selection. Nodes that the runtime does not support can also be
 * selected.
 */
export function selectNode({ database }: Services): DaemonHandlers["selectNode"] {
  return ({ id, selectedOrdinal }) => {
    if (id < 0) throw daemonError({ kind: "negative-id" });
    if (selectedOrdinal < 0) throw daemonError({ kind: "negative-ordinal" });
    const network = findSubscription(database, id);
    if (network.selected_ordinal !== selectedOrdinal) {
      const block = selectedOrdinal === 0 ? undefined : findBlock(database, id, selectedOrdinal);
      if (selectedOrdinal !== 0 && (block === undefined || !ordinalsOf(block).includes(selectedOrdinal)))
        throw daemonError({ kind: "no-such-node", id, ordinal: selectedOrdinal });
      database.run("update network set selected_ordinal = ? where id = ?", selectedOrdinal, id);
    }
    return { id, selectedOrdinal };
  };
}
