import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { ProxySubscriptionImportRequestSchema } from "../../../../src/daemon/index.js";
import { ofFamily } from "../../fault.js";
import { fault } from "../describe.js";
import type { DaemonFault } from "../fault.js";

const breaks = ["select-node.preview-ordinals"];

/** Imports that later calls do not find. */
export const persistenceFaults: readonly DaemonFault[] = ofFamily("persistence", [
  fault("import-not-stored", "responds to ApplyImport and stores nothing")
    .breaks(...breaks)
    .by({
      handlers: (honest) => {
        let last = 0;
        return {
          ...honest,
          applyImport: async ({ url, selectedOrdinal }, context) => {
            const request = create(ProxySubscriptionImportRequestSchema, { url });
            const { compatibleCount = 0 } = await honest.previewImport(request, context);
            last += 1;
            return { id: last, importedCount: compatibleCount, selectedOrdinal };
          },
        };
      },
    }),
  fault("import-returns-other-id", "returns an unknown `id` from ApplyImport")
    .breaks(...breaks)
    .afterApply(({ id }) => ({ id: id + 1000 })),
  fault("import-returns-no-id", "returns no `id` from ApplyImport")
    .breaks(...breaks)
    .afterApply(() => ({ id: 0 })),
  fault("selection-right-after-import-refused", "rejects the first SelectNode after an import")
    .breaks(...breaks)
    .networks(({ select }) => {
      const asked = new Set<number>();
      return {
        select: async (request, context) => {
          if (asked.has(request.id)) return select(request, context);
          asked.add(request.id);
          throw new ConnectError("The network is being set up", Code.FailedPrecondition);
        },
      };
    }),
  fault("import-stores-only-selected-node", "stores only the selected node of an import")
    .breaks(...breaks)
    .networks(({ apply, select }) => {
      const kept = new Map<number, number>();
      return {
        apply: async (request, context) => {
          const reply = await apply(request, context);
          kept.set(reply.id, reply.selectedOrdinal);
          return reply;
        },
        select: async (request, context) => {
          if (kept.get(request.id) !== request.selectedOrdinal) throw new ConnectError("Not found", Code.NotFound);
          return select(request, context);
        },
      };
    }),
  fault("import-shifts-ordinals", "numbers stored nodes differently from those of a preview")
    .breaks(...breaks)
    .networks(({ select }) => ({
      select: (request, context) => select({ ...request, selectedOrdinal: request.selectedOrdinal + 1 }, context),
    })),
  fault("import-selection-immutable", "rejects any change of the selection that an import made")
    .breaks(...breaks)
    .networks(({ apply, select }) => {
      const selected = new Set<number>();
      return {
        apply: async (request, context) => {
          const reply = await apply(request, context);
          if (request.selectedOrdinal !== 0) selected.add(reply.id);
          return reply;
        },
        select: async (request, context) => {
          if (selected.has(request.id)) throw new ConnectError("A node is selected", Code.FailedPrecondition);
          return select(request, context);
        },
      };
    }),
]);
