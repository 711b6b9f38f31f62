import { Code, ConnectError } from "@connectrpc/connect";
import { builder } from "../../../../reference/daemon/storage/database.js";
import { NetworkType } from "../../../../src/daemon/index.js";
import type { DaemonBehaviour } from "../behaviour.js";
import { networks } from "../changed-handlers.js";
import { caught, type DaemonDetection, type DaemonFault, missed } from "../fault.js";
import { deleteNodes, overwrite, storedNetwork, storedOrdinals } from "../stored-networks.js";

const whichNetwork = missed("Which `id` a new network gets");
const naming = missed("Name of a network after an import without a name");
const storing = missed("Stored data, its location and how long it is kept");

/** Imports that store or return something else. */
function fault(name: string, summary: string, detection: DaemonDetection, behaviour: DaemonBehaviour): DaemonFault {
  return { name, family: "imports", summary, ...detection, behaviour };
}

/** Imports with wrong results or with side effects. */
export const importFaults: readonly DaemonFault[] = [
  fault(
    "import-counts-up-to-last-ordinal",
    "returns the last ordinal as `imported_count`, so that rejected entries count",
    caught("case apply-mixed-list", "apply-import.counts-nodes"),
    networks(({ apply }, services) => ({
      apply: async (request, context) => {
        const reply = await apply(request, context);
        return { ...reply, importedCount: storedOrdinals(services, reply.id).at(-1) ?? 0 };
      },
    })),
  ),
  fault(
    "import-selects-first-node",
    "selects the first node of a new network when none is asked for",
    caught("case apply-mixed-list", "apply-import.selects"),
    networks(({ apply, select }, services) => ({
      apply: async (request, context) => {
        const reply = await apply(request, context);
        const [first] = storedOrdinals(services, reply.id);
        if (request.id !== 0 || reply.selectedOrdinal !== 0 || first === undefined) return reply;
        await select({ $typeName: selectRequest, id: reply.id, selectedOrdinal: first }, context);
        return { ...reply, selectedOrdinal: first };
      },
    })),
  ),
  fault(
    "import-selection-not-stored",
    "returns the `selected_ordinal` of ApplyImport and does not store it",
    caught("case apply-keeps-moved-node", "apply-import.keeps-selection"),
    networks(({ apply }, services) => ({
      apply: async (request, context) => {
        const before = storedNetwork(services, request.id)?.selected_ordinal ?? 0;
        const reply = await apply(request, context);
        if (request.selectedOrdinal !== 0) overwrite(services, { selected_ordinal: before }, reply.id);
        return reply;
      },
    })),
  ),
  fault(
    "refused-import-stored",
    "refuses an import whose `selected_ordinal` has no node, but stores its nodes",
    caught("case apply-after-refused-selection", "apply-import.failure"),
    networks(({ apply }) => ({
      apply: async (request, context) => {
        try {
          return await apply(request, context);
        } catch (error) {
          if (request.selectedOrdinal !== 0) await apply({ ...request, selectedOrdinal: 0 }, context).catch(() => {});
          throw error;
        }
      },
    })),
  ),
  fault(
    "failed-import-deletes-nodes",
    "deletes the nodes of a network before it fetches the URL, and loses them when that fails",
    caught("case apply-after-failed-fetch", "apply-import.failure"),
    networks(({ apply }, services) => ({
      apply: async (request, context) => {
        try {
          return await apply(request, context);
        } catch (error) {
          deleteNodes(services, request.id);
          throw error;
        }
      },
    })),
  ),
  fault(
    "failed-import-leaves-network",
    "leaves a network without nodes behind when a new import fails, and does not reuse its id",
    whichNetwork,
    networks(({ apply }, { database }) => ({
      apply: async (request, context) => {
        try {
          return await apply(request, context);
        } catch (error) {
          const network = { type: NetworkType.ProxySubscription, name: request.name };
          if (request.id === 0) database.run(builder.insertInto("network").values(network));
          throw error;
        }
      },
    })),
  ),
  fault(
    "reimport-keeps-old-nodes",
    "allows selecting nodes of an earlier import that the last import into the network lacks",
    caught("case select-replaced-node", "select-node.unknown-node"),
    networks(({ apply, select }, services) => {
      const earlier = new Map<number, Set<number>>();
      return {
        apply: async (request, context) => {
          const reply = await apply(request, context);
          const all = [...(earlier.get(reply.id) ?? []), ...storedOrdinals(services, reply.id)];
          earlier.set(reply.id, new Set(all));
          return reply;
        },
        select: async (request, context) => {
          const { id, selectedOrdinal } = request;
          const isOld = earlier.get(id)?.has(selectedOrdinal) === true;
          if (!isOld || storedOrdinals(services, id).includes(selectedOrdinal)) return select(request, context);
          overwrite(services, { selected_ordinal: selectedOrdinal }, id);
          return { id, selectedOrdinal };
        },
      };
    }),
  ),
  fault(
    "same-url-same-network",
    "imports a URL into the network that was created from it, although a new one is asked for",
    caught("case apply-same-url-twice", "apply-import.creates"),
    networks(({ apply }) => {
      const ids = new Map<string, number>();
      return {
        apply: async (request, context) => {
          const reply = await apply({ ...request, id: request.id || (ids.get(request.url) ?? 0) }, context);
          ids.set(request.url, reply.id);
          return reply;
        },
      };
    }),
  ),
  fault(
    "import-clears-other-selections",
    "clears the selection of every other network with an import",
    caught("case apply-beside-other-network", "apply-import.one-network"),
    networks(({ apply }, services) => ({
      apply: async (request, context) => {
        const reply = await apply(request, context);
        overwrite(services, { selected_ordinal: 0 });
        overwrite(services, { selected_ordinal: reply.selectedOrdinal }, reply.id);
        return reply;
      },
    })),
  ),
  fault(
    "concurrent-imports-merged",
    "returns the result of another pending import for the same network",
    caught("case apply-by-two-callers", "service.overlapping-calls"),
    networks(({ apply }) => {
      const underWay = new Map<number, ReturnType<typeof apply>>();
      return {
        apply: async (request, context) => {
          const { id } = request;
          if (id === 0) return apply(request, context);
          const shared = underWay.get(id) ?? apply(request, context).finally(() => underWay.delete(id));
          underWay.set(id, shared);
          return shared;
        },
      };
    }),
  ),
  fault(
    "reimport-clears-name",
    "clears the name of a network when an import into it has none",
    naming,
    networks(({ apply }, services) => ({
      apply: async (request, context) => {
        const reply = await apply(request, context);
        if (request.id !== 0 && request.name === "") overwrite(services, { name: "" }, reply.id);
        return reply;
      },
    })),
  ),
  fault(
    "single-node-stored-as-trojan",
    "stores a subscription of one node as a network of type Trojan, in which nothing can be selected",
    caught("case select-only-node", "select-node.again"),
    networks(({ apply }, services) => ({
      apply: async (request, context) => {
        const reply = await apply(request, context);
        if (reply.importedCount === 1) overwrite(services, { type: NetworkType.Trojan }, reply.id);
        return reply;
      },
    })),
  ),
  fault(
    "reimport-keeps-position",
    "keeps the position selected when an import into the same network has another node there",
    caught("case apply-keeps-moved-node", "apply-import.keeps-selection"),
    networks(({ apply }, services) => ({
      apply: async (request, context) => {
        const selectedOrdinal = storedNetwork(services, request.id)?.selected_ordinal ?? 0;
        const reply = await apply(request, context);
        const isKept = request.selectedOrdinal === 0 && storedOrdinals(services, reply.id).includes(selectedOrdinal);
        if (!isKept) return reply;
        overwrite(services, { selected_ordinal: selectedOrdinal }, reply.id);
        return { ...reply, selectedOrdinal };
      },
    })),
  ),
  fault(
    "import-expires",
    "forgets a network a minute after its import",
    storing,
    networks(({ apply, select }) => {
      const importedAt = new Map<number, number>();
      return {
        apply: async (request, context) => {
          const reply = await apply(request, context);
          importedAt.set(reply.id, Date.now());
          return reply;
        },
        select: async (request, context) => {
          const at = importedAt.get(request.id) ?? Date.now();
          if (Date.now() - at > 60_000) throw new ConnectError("There is no such network", Code.NotFound);
          return select(request, context);
        },
      };
    }),
  ),
];

const selectRequest = "proxydaemon.v1.ProxySubscriptionSelectRequest";
