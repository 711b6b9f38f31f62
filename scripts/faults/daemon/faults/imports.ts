import { Code, ConnectError } from "@connectrpc/connect";
import { NetworkType } from "../../../../src/daemon/index.js";
import { ofFamily } from "../../fault.js";
import { fault } from "../describe.js";
import { type DaemonFault, quickCases } from "../fault.js";
import { deleteNodes, overwrite, storedNetwork, storedOrdinals } from "../stored-networks.js";

/** Imports with wrong results or with side effects. */
export const importFaults: readonly DaemonFault[] = ofFamily("imports", [
  fault(
    "import-counts-up-to-last-ordinal",
    "returns the last ordinal as `imported_count`, so that rejected entries count",
  )
    .breaks("apply-import.counts-nodes")
    .checkedBy("case apply-mixed-list")
    .afterApply(({ id }, _, services) => ({ importedCount: storedOrdinals(services, id).at(-1) ?? 0 })),
  fault("import-selects-first-node", "selects the first node of a new network when none is asked for")
    .breaks("apply-import.selects")
    .checkedBy("case apply-mixed-list")
    .afterApply(({ id, selectedOrdinal }, request, services) => {
      const [first] = storedOrdinals(services, id);
      if (request.id !== 0 || selectedOrdinal !== 0 || first === undefined) return {};
      overwrite(services, { selected_ordinal: first }, id);
      return { selectedOrdinal: first };
    }),
  fault("import-selection-not-stored", "returns the `selected_ordinal` of ApplyImport and does not store it")
    .breaks("apply-import.keeps-selection")
    .checkedBy("case apply-keeps-moved-node")
    .networks(({ apply }, services) => ({
      apply: async (request, context) => {
        const before = storedNetwork(services, request.id)?.selected_ordinal ?? 0;
        const reply = await apply(request, context);
        if (request.selectedOrdinal !== 0) overwrite(services, { selected_ordinal: before }, reply.id);
        return reply;
      },
    })),
  fault("refused-import-stored", "refuses an import whose `selected_ordinal` has no node, but stores its nodes")
    .breaks("apply-import.failure")
    .checkedBy("case apply-after-refused-selection")
    .afterFailedApply(async (request, { apply, context }) => {
      if (request.selectedOrdinal !== 0) await apply({ ...request, selectedOrdinal: 0 }, context).catch(() => {});
    }),
  fault(
    "failed-import-deletes-nodes",
    "deletes the nodes of a network before it fetches the URL, and loses them when that fails",
  )
    .breaks("apply-import.failure")
    .checkedBy("case apply-after-failed-fetch")
    .afterFailedApply(({ id }, { services }) => deleteNodes(services, id)),
  fault(
    "failed-import-leaves-network",
    "leaves a network without nodes behind when a new import fails, and does not reuse its id",
  )
    .missed("Which `id` a new network gets", quickCases)
    .afterFailedApply(({ id, name }, { services: { database } }) => {
      if (id === 0) database.run("insert into network (type, name) values (?, ?)", NetworkType.ProxySubscription, name);
    }),
  fault(
    "reimport-keeps-old-nodes",
    "allows selecting nodes of an earlier import that the last import into the network lacks",
  )
    .breaks("select-node.unknown-node")
    .checkedBy("case select-replaced-node")
    .networks(({ apply, select }, services) => {
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
  fault(
    "same-url-same-network",
    "imports a URL into the network that was created from it, although a new one is asked for",
  )
    .breaks("apply-import.creates")
    .networks(({ apply }) => {
      const ids = new Map<string, number>();
      return {
        apply: async (request, context) => {
          const reply = await apply({ ...request, id: request.id || (ids.get(request.url) ?? 0) }, context);
          ids.set(request.url, reply.id);
          return reply;
        },
      };
    }),
  fault("import-clears-other-selections", "clears the selection of every other network with an import")
    .breaks("apply-import.one-network")
    .afterApply(({ id, selectedOrdinal }, _, services) => {
      overwrite(services, { selected_ordinal: 0 });
      overwrite(services, { selected_ordinal: selectedOrdinal }, id);
      return {};
    }),
  fault("concurrent-imports-merged", "returns the result of another pending import for the same network")
    .breaks("service.overlapping-calls")
    .checkedBy("case apply-by-two-callers")
    .networks(({ apply }) => {
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
  fault("reimport-clears-name", "clears the name of a network when an import into it has none")
    .missed("Name of a network after an import without a name", quickCases)
    .afterApply((reply, { id, name }, services) => {
      if (id !== 0 && name === "") overwrite(services, { name: "" }, reply.id);
      return {};
    }),
  fault(
    "single-node-stored-as-trojan",
    "stores a subscription of one node as a network of type Trojan, in which nothing can be selected",
  )
    .breaks("select-node.again")
    .checkedBy("case select-only-node")
    .afterApply(({ id, importedCount }, _, services) => {
      if (importedCount === 1) overwrite(services, { type: NetworkType.Trojan }, id);
      return {};
    }),
  fault(
    "reimport-keeps-position",
    "keeps the position selected when an import into the same network has another node there",
  )
    .breaks("apply-import.keeps-selection")
    .checkedBy("case apply-keeps-moved-node")
    .networks(({ apply }, services) => ({
      apply: async (request, context) => {
        const selectedOrdinal = storedNetwork(services, request.id)?.selected_ordinal ?? 0;
        const reply = await apply(request, context);
        const isKept = request.selectedOrdinal === 0 && storedOrdinals(services, reply.id).includes(selectedOrdinal);
        if (!isKept) return reply;
        overwrite(services, { selected_ordinal: selectedOrdinal }, reply.id);
        return { ...reply, selectedOrdinal };
      },
    })),
  fault("import-expires", "forgets a network a minute after its import")
    .missed("Stored data, its location and how long it is kept", quickCases)
    .networks(({ apply, select }) => {
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
]);
