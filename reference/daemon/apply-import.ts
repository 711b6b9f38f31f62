import { type DaemonHandlers, daemonError } from "../../src/daemon/index.js";
import type { ContentPart } from "./import/content.js";
import type { ImportedNode } from "./import/entry.js";
import { cleanName } from "./import/formats/text.js";
import type { About } from "./import/import-subscription.js";
import { createQueues } from "./networks/create-queues.js";
import { findSubscription } from "./networks/find-network.js";
import { packNodes } from "./networks/node-block.js";
import { storeImport } from "./networks/store-import.js";
import type { Services } from "./services.js";

const maxNameLength = 256;

/**
 * Imports a subscription into a new network record, or into the existing one with the id. Imports into one record are
 * applied in the order of the calls, even if the host of an earlier one responds more slowly.
 */
export function applyImport({ database, importSubscription }: Services): DaemonHandlers["applyImport"] {
  const inOrder = createQueues<number>();
  return ({ id, url, name, selectedOrdinal }, { signal }) => {
    const givenName = cleanName(name);

    const nodes: ImportedNode[] = [];
    const add = (part: ContentPart) => void nodes.push(...part.nodes);

    async function finish({ suggestedName }: About) {
      if (selectedOrdinal !== 0 && !nodes.some(({ ordinal }) => ordinal === selectedOrdinal))
        throw daemonError({ kind: "no-such-node-to-import", ordinal: selectedOrdinal });
      const blocks = await packNodes(nodes);
      signal.throwIfAborted();
      const newName = givenName === "" && id === 0 ? suggestedName : givenName;
      const stored = storeImport(database, { id, name: newName, selectedOrdinal, nodes, blocks });
      return { ...stored, importedCount: nodes.length };
    }

    function apply() {
      // Report an unknown record before fetching anything.
      if (id !== 0) findSubscription(database, id);
      return importSubscription(url, signal, { add, finish });
    }

    if (id < 0) throw daemonError({ kind: "negative-id" });
    if (selectedOrdinal < 0) throw daemonError({ kind: "negative-ordinal" });
    if (name.length > maxNameLength) throw daemonError({ kind: "name-too-long" });
    return id === 0 ? apply() : inOrder(id, async () => apply());
  };
}
