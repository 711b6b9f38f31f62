import { Code, ConnectError } from "@connectrpc/connect";
import type { DaemonFault } from "../fault.js";

const selecting = ["case select-ordinal-of-preview"];
const breaks = ["select-node.preview-ordinals"];

/** Imports that later calls do not find. */
export const persistenceFaults: readonly DaemonFault[] = [
  {
    name: "import-not-stored",
    family: "persistence",
    summary: "responds to ApplyImport and stores nothing",
    breaks,
    checkedBy: selecting,
    behaviour: {
      handlers: (honest) => {
        let last = 0;
        return {
          ...honest,
          applyImport: async ({ url, selectedOrdinal, $typeName: _ }, context) => {
            const { compatibleCount = 0 } = await honest.previewImport(
              { $typeName: "proxydaemon.v1.ProxySubscriptionImportRequest", url },
              context,
            );
            last += 1;
            return { id: last, importedCount: compatibleCount, selectedOrdinal };
          },
        };
      },
    },
  },
  {
    name: "import-returns-other-id",
    family: "persistence",
    summary: "returns an unknown `id` from ApplyImport",
    breaks,
    checkedBy: selecting,
    behaviour: {
      handlers: (honest) => ({
        ...honest,
        applyImport: async (request, context) => {
          const reply = await honest.applyImport(request, context);
          return { ...reply, id: (reply.id ?? 0) + 1000 };
        },
      }),
    },
  },
  {
    name: "import-returns-no-id",
    family: "persistence",
    summary: "returns no `id` from ApplyImport",
    breaks,
    checkedBy: selecting,
    behaviour: {
      handlers: (honest) => ({
        ...honest,
        applyImport: async (request, context) => ({ ...(await honest.applyImport(request, context)), id: 0 }),
      }),
    },
  },
  {
    name: "selection-right-after-import-refused",
    family: "persistence",
    summary: "rejects the first SelectNode after an import",
    breaks,
    checkedBy: selecting,
    behaviour: {
      handlers: (honest) => {
        const asked = new Set<number>();
        return {
          ...honest,
          selectNode: (request, context) => {
            if (asked.has(request.id)) return honest.selectNode(request, context);
            asked.add(request.id);
            throw new ConnectError("The network is being set up", Code.FailedPrecondition);
          },
        };
      },
    },
  },
  {
    name: "import-stores-only-selected-node",
    family: "persistence",
    summary: "stores only the selected node of an import",
    breaks,
    checkedBy: selecting,
    behaviour: {
      handlers: (honest) => {
        const kept = new Map<number, number>();
        return {
          ...honest,
          applyImport: async (request, context) => {
            const { id = 0, importedCount = 0, selectedOrdinal = 0 } = await honest.applyImport(request, context);
            kept.set(id, selectedOrdinal);
            return { id, importedCount, selectedOrdinal };
          },
          selectNode: (request, context) => {
            if (kept.get(request.id) !== request.selectedOrdinal) throw new ConnectError("Not found", Code.NotFound);
            return honest.selectNode(request, context);
          },
        };
      },
    },
  },
  {
    name: "import-shifts-ordinals",
    family: "persistence",
    summary: "numbers stored nodes differently from those of a preview",
    breaks,
    checkedBy: selecting,
    behaviour: {
      handlers: (honest) => ({
        ...honest,
        selectNode: (request, context) =>
          honest.selectNode({ ...request, selectedOrdinal: request.selectedOrdinal + 1 }, context),
      }),
    },
  },
  {
    name: "import-selection-immutable",
    family: "persistence",
    summary: "rejects any change of the selection that an import made",
    breaks,
    checkedBy: selecting,
    behaviour: {
      handlers: (honest) => {
        const selected = new Set<number>();
        return {
          ...honest,
          applyImport: async (request, context) => {
            const reply = await honest.applyImport(request, context);
            if (request.selectedOrdinal !== 0) selected.add(reply.id ?? 0);
            return reply;
          },
          selectNode: (request, context) => {
            if (selected.has(request.id)) throw new ConnectError("A node is selected", Code.FailedPrecondition);
            return honest.selectNode(request, context);
          },
        };
      },
    },
  },
];
