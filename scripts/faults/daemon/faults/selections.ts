import { setTimeout as sleep } from "node:timers/promises";
import type { Services } from "../../../../reference/daemon/services.js";
import type { DaemonBehaviour } from "../behaviour.js";
import { networks } from "../changed-handlers.js";
import { caught, type DaemonDetection, type DaemonFault, missed } from "../fault.js";
import { overwrite, storedNetwork, storedOrdinals } from "../stored-networks.js";

const storing = missed("Stored data, its location and how long it is kept");

/** Selections that differ from the reply of SelectNode, or that it should have refused. */
function fault(name: string, summary: string, detection: DaemonDetection, behaviour: DaemonBehaviour): DaemonFault {
  return { name, family: "selections", summary, ...detection, behaviour };
}

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
export const selectionFaults: readonly DaemonFault[] = [
  fault(
    "select-unknown-node",
    "selects nodes that the network does not have",
    caught("case select-unknown-node", "select-node.unknown-node"),
    alsoSelects((_services, _id, ordinal) => ordinal > 0),
  ),
  fault(
    "select-rejected-entry",
    "checks an ordinal only against the last one, so that a rejected entry can be selected",
    caught("case select-rejected-entry", "select-node.unknown-node"),
    alsoSelects((services, id, ordinal) => ordinal > 0 && ordinal <= (storedOrdinals(services, id).at(-1) ?? 0)),
  ),
  fault(
    "select-unknown-network",
    "returns success when it selects a node of a network that does not exist",
    caught("case select-unknown-network", "select-node.unknown-network"),
    networks(({ select }, services) => ({
      select: async (request, context) => {
        const { id, selectedOrdinal } = request;
        if (id > 0 && storedNetwork(services, id) === undefined) return { id, selectedOrdinal };
        return select(request, context);
      },
    })),
  ),
  fault(
    "refused-selection-cleared",
    "refuses a node that the network does not have, but clears the selection",
    caught("case select-refused-stored", "select-node.refusal"),
    networks(({ select }, services) => ({
      select: async (request, context) => {
        try {
          return await select(request, context);
        } catch (error) {
          overwrite(services, { selected_ordinal: 0 }, request.id);
          throw error;
        }
      },
    })),
  ),
  fault(
    "select-none-ignored",
    "returns success for a request to select no node, and keeps the selected one",
    caught("case select-cleared-stored", "select-node.clears"),
    networks(({ select }, services) => ({
      select: async (request, context) => {
        const { id, selectedOrdinal } = request;
        if (selectedOrdinal === 0 && storedNetwork(services, id) !== undefined) return { id, selectedOrdinal };
        return select(request, context);
      },
    })),
  ),
  fault(
    "select-negative",
    "treats a negative ordinal as no selection",
    caught("case select-negative-node", "select-node.unknown-node"),
    networks(({ select }) => ({
      select: async (request, context) => {
        const { id, selectedOrdinal } = request;
        await select({ ...request, selectedOrdinal: Math.max(selectedOrdinal, 0) }, context);
        return { id, selectedOrdinal };
      },
    })),
  ),
  fault(
    "select-again-clears",
    "clears the selection when the selected node is selected again",
    caught("case select-again-stored", "select-node.again"),
    networks(({ select }, services) => ({
      select: async (request, context) => {
        const { id, selectedOrdinal } = request;
        const wasSelected = storedNetwork(services, id)?.selected_ordinal === selectedOrdinal;
        const reply = await select(request, context);
        if (wasSelected) overwrite(services, { selected_ordinal: 0 }, id);
        return reply;
      },
    })),
  ),
  fault(
    "select-in-every-network",
    "selects the ordinal in every network",
    caught("case select-beside-other-network", "select-node.one-network"),
    networks(({ select }, services) => ({
      select: async (request, context) => {
        const reply = await select(request, context);
        overwrite(services, { selected_ordinal: reply.selectedOrdinal });
        return reply;
      },
    })),
  ),
  fault("select-lost-on-restart", "keeps selections in memory until the next import", storing, inMemory()),
  fault(
    "select-stored-late",
    "stores a selection two seconds after its response",
    caught("case select-stored", "select-node.takes-effect"),
    storedLate(),
  ),
  fault(
    "select-replies-latest",
    "returns the ordinal of a later SelectNode for the same network",
    caught("case select-by-two-callers", "service.overlapping-calls"),
    networks(({ select }) => {
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
  ),
  fault(
    "login-cancel-clears-selections",
    "clears every selection with LoginCancel",
    caught("case apply-after-login-cancel", "login-cancel.networks"),
    {
      handlers: (honest, _log, services) => ({
        ...honest,
        loginCancel: (...call) => {
          overwrite(services, { selected_ordinal: 0 });
          return honest.loginCancel(...call);
        },
      }),
    },
  ),
  fault(
    "preview-clears-selections",
    "clears every selection with PreviewImport",
    caught("case apply-after-preview", "preview-import.stores-nothing"),
    {
      handlers: (honest, _log, services) => ({
        ...honest,
        previewImport: (...call) => {
          overwrite(services, { selected_ordinal: 0 });
          return honest.previewImport(...call);
        },
      }),
    },
  ),
];

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

const lateMs = 2_000;

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
