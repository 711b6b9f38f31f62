import { setTimeout as sleep } from "node:timers/promises";
import type { Services } from "../../../../reference/daemon/services.js";
import { ofFamily } from "../../fault.js";
import type { DaemonBehaviour } from "../behaviour.js";
import { changesRpc, networks } from "../changed-handlers.js";
import { fault } from "../describe.js";
import { type DaemonFault, quickCases } from "../fault.js";
import { overwrite, storedNetwork, storedOrdinals } from "../stored-networks.js";

/** Selects every node for which a condition holds, whether it exists or not. */
function alsoSelects(condition: (services: Services, id: number, ordinal: number) => boolean): DaemonBehaviour {
  return networks(({ select }, services) => ({
    select: async (request, context) => {
      const { id, selectedOrdinal } = request;
      if (storedNetwork(services, id) === undefined || !condition(services, id, selectedOrdinal))
        return select(request, context);
      overwrite(services, { selected_ordinal: selectedOrdinal }, id);
      return { id, selectedOrdinal };
    },
  }));
}

/** Selections that are wrong, lost, or made in more networks than the one of the call. */
export const selectionFaults: readonly DaemonFault[] = ofFamily("selections", [
  fault("select-unknown-node", "selects nodes that the network does not have")
    .breaks("select-node.unknown-node")
    .checkedBy("case select-unknown-node")
    .by(alsoSelects((_services, _id, ordinal) => ordinal > 0)),
  fault(
    "select-rejected-entry",
    "checks an ordinal only against the last one, so that a rejected entry can be selected",
  )
    .breaks("select-node.unknown-node")
    .checkedBy("case select-rejected-entry")
    .by(alsoSelects((services, id, ordinal) => ordinal > 0 && ordinal <= (storedOrdinals(services, id).at(-1) ?? 0))),
  fault("select-unknown-network", "returns success when it selects a node of a network that does not exist")
    .breaks("select-node.unknown-network")
    .checkedBy("case select-unknown-network")
    .networks(({ select }, services) => ({
      select: async (request, context) => {
        const { id, selectedOrdinal } = request;
        if (id > 0 && storedNetwork(services, id) === undefined) return { id, selectedOrdinal };
        return select(request, context);
      },
    })),
  fault("refused-selection-cleared", "refuses a node that the network does not have, but clears the selection")
    .breaks("select-node.refusal")
    .networks(({ select }, services) => ({
      select: (request, context) =>
        select(request, context).catch((error) => {
          overwrite(services, { selected_ordinal: 0 }, request.id);
          throw error;
        }),
    })),
  fault("select-none-ignored", "returns success for a request to select no node, and keeps the selected one")
    .breaks("select-node.clears")
    .checkedBy("case select-cleared-stored")
    .networks(({ select }, services) => ({
      select: async (request, context) => {
        const { id, selectedOrdinal } = request;
        if (selectedOrdinal === 0 && storedNetwork(services, id) !== undefined) return { id, selectedOrdinal };
        return select(request, context);
      },
    })),
  fault("select-negative", "treats a negative ordinal as no selection")
    .breaks("select-node.unknown-node")
    .checkedBy("case select-negative-node")
    .networks(({ select }) => ({
      select: async (request, context) => {
        const { id, selectedOrdinal } = request;
        await select({ ...request, selectedOrdinal: Math.max(selectedOrdinal, 0) }, context);
        return { id, selectedOrdinal };
      },
    })),
  fault("select-again-clears", "clears the selection when the selected node is selected again")
    .breaks("select-node.again")
    .checkedBy("case select-again-stored")
    .networks(({ select }, services) => ({
      select: async (request, context) => {
        const { id, selectedOrdinal } = request;
        const wasSelected = storedNetwork(services, id)?.selected_ordinal === selectedOrdinal;
        const reply = await select(request, context);
        if (wasSelected) overwrite(services, { selected_ordinal: 0 }, id);
        return reply;
      },
    })),
  fault("select-in-every-network", "selects the ordinal in every network")
    .breaks("select-node.one-network")
    .afterSelect(({ selectedOrdinal }, _, services) => {
      overwrite(services, { selected_ordinal: selectedOrdinal });
      return {};
    }),
  fault("select-lost-on-restart", "keeps selections in memory until the next import")
    .missed("Stored data, its location and how long it is kept", quickCases)
    .by(inMemory()),
  fault("select-stored-late", "stores a selection a minute after its response")
    .breaks("select-node.takes-effect")
    .by(storedLate()),
  fault("select-replies-latest", "returns the ordinal of a later SelectNode for the same network")
    .breaks("service.overlapping-calls")
    .checkedBy("case select-by-two-callers")
    .networks(({ select }) => {
      const latest = new Map<number, number>();
      return {
        select: async (request, context) => {
          const { id, selectedOrdinal } = request;
          latest.set(id, selectedOrdinal);
          await select(request, context);
          // A real daemon needs this long to write.
          await sleep(10);
          return { id, selectedOrdinal: latest.get(id) ?? selectedOrdinal };
        },
      };
    }),
  fault("login-cancel-clears-selections", "clears every selection with LoginCancel")
    .breaks("login-cancel.networks")
    .by(
      changesRpc("loginCancel", (cancel, _log, services) => (...call) => {
        overwrite(services, { selected_ordinal: 0 });
        return cancel(...call);
      }),
    ),
  fault("preview-clears-selections", "clears every selection with PreviewImport")
    .breaks("preview-import.stores-nothing")
    .by(
      changesRpc("previewImport", (preview, _log, services) => (...call) => {
        overwrite(services, { selected_ordinal: 0 });
        return preview(...call);
      }),
    ),
]);

/** Replies as the reference does, but stores a selection only with the next import. */
function inMemory(): DaemonBehaviour {
  return networks(({ apply, select }, services) => {
    const selected = new Map<number, number>();
    return {
      apply: async (request, context) => {
        const inMemory = selected.get(request.id);
        if (inMemory !== undefined) overwrite(services, { selected_ordinal: inMemory }, request.id);
        selected.delete(request.id);
        return apply(request, context);
      },
      select: async (request, context) => {
        const stored = storedNetwork(services, request.id)?.selected_ordinal ?? 0;
        const reply = await select(request, context);
        overwrite(services, { selected_ordinal: stored }, request.id);
        selected.set(request.id, reply.selectedOrdinal);
        return reply;
      },
    };
  });
}

/** Longer than any run, however busy the machine is. */
const lateMs = 60_000;

function storedLate(): DaemonBehaviour {
  return networks(({ select }, services) => ({
    select: async (request, context) => {
      const { id } = request;
      const stored = storedNetwork(services, id)?.selected_ordinal ?? 0;
      const reply = await select(request, context);
      overwrite(services, { selected_ordinal: stored }, id);
      // The daemon may have been stopped by then.
      sleep(lateMs, undefined, { ref: false })
        .then(() => overwrite(services, { selected_ordinal: reply.selectedOrdinal }, id))
        .catch(() => {});
      return reply;
    },
  }));
}
