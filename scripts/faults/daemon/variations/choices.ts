import { Code, ConnectError } from "@connectrpc/connect";
import type { ProxyNode } from "../../../../reference/daemon/import/proxy-node.js";
import { networks, numbers, previews, reads } from "../changed-handlers.js";
import { storedNetwork, storedNode, storedOrdinals } from "../stored-networks.js";
import type { DaemonVariation } from "../variation.js";

const maxEntries = 2;
const maxInt32 = 2 ** 31 - 1;

/** Choices other than those of the reference. */
export const choiceVariations: readonly DaemonVariation[] = [
  {
    name: "ids-below-zero",
    summary: "numbers networks from -1 downwards",
    behaviour: numbers(
      "ids",
      (id) => 0 - id,
      (id) => 0 - id,
    ),
  },
  {
    name: "ids-from-the-largest",
    summary: "numbers networks from 2147483647 downwards",
    behaviour: numbers(
      "ids",
      (id) => maxInt32 - id + 1,
      (id) => (id <= 0 ? id : maxInt32 - id + 1),
    ),
  },
  {
    name: "unknown-node-imports-none-selected",
    summary: "imports a subscription without a selection when the selected ordinal has no node",
    behaviour: networks(({ apply }) => ({
      apply: (request, context) =>
        apply(request, context).catch(() => apply({ ...request, selectedOrdinal: 0 }, context)),
    })),
  },
  {
    name: "unknown-id-imports-into-new-network",
    summary: "imports into a new network when there is none with the id",
    behaviour: networks(({ apply }, services) => ({
      apply: (request, context) =>
        apply(storedNetwork(services, request.id) === undefined ? { ...request, id: 0 } : request, context),
    })),
  },
  {
    name: "unique-names",
    summary: "refuses to import a second network of the same name",
    behaviour: networks(({ apply }) => {
      const names = new Set<string>();
      return {
        apply: async (request, context) => {
          if (request.id === 0 && names.has(request.name))
            throw new ConnectError("The name is in use", Code.AlreadyExists);
          const reply = await apply(request, context);
          names.add(request.name);
          return reply;
        },
      };
    }),
  },
  {
    name: "requires-name",
    summary: "refuses imports without a name",
    behaviour: networks(({ apply }) => ({
      apply: async (request, context) => {
        if (request.name === "") throw new ConnectError("name is empty", Code.InvalidArgument);
        return apply(request, context);
      },
    })),
  },
  {
    name: "requires-selection",
    summary: "refuses imports that select no node",
    behaviour: networks(({ apply }) => ({
      apply: async (request, context) => {
        if (request.selectedOrdinal === 0) throw new ConnectError("Select a node", Code.InvalidArgument);
        return apply(request, context);
      },
    })),
  },
  {
    name: "limits-entries",
    summary: "refuses subscriptions of more than two entries",
    behaviour: reads((content) => {
      if (content.nodes.length + content.rejected.length > maxEntries)
        throw new ConnectError("The subscription has too many entries", Code.ResourceExhausted);
      return content;
    }),
  },
  {
    name: "reimport-selects-none",
    summary: "selects no node when an import into a network asks for none, whatever was selected before",
    behaviour: networks(({ apply, select }) => ({
      apply: async (request, context) => {
        const reply = await apply(request, context);
        if (request.selectedOrdinal !== 0) return reply;
        await select(
          { $typeName: "proxydaemon.v1.ProxySubscriptionSelectRequest", id: reply.id, selectedOrdinal: 0 },
          context,
        );
        return { ...reply, selectedOrdinal: 0 };
      },
    })),
  },
  {
    name: "imports-only-supported-nodes",
    summary: "previews all nodes, and imports and counts only those that its runtime supports",
    behaviour: networks(({ apply, select }, services) => ({
      apply: async (request, context) => {
        const reply = await apply(request, context);
        const isImported = (ordinal: number) => isSupported(storedNode(services, reply.id, ordinal));
        return { ...reply, importedCount: storedOrdinals(services, reply.id).filter(isImported).length };
      },
      select: async (request, context) => {
        const node = storedNode(services, request.id, request.selectedOrdinal);
        if (node !== undefined && !isSupported(node)) throw new ConnectError("There is no such node", Code.NotFound);
        return select(request, context);
      },
    })),
  },
  {
    name: "lists-first-two-nodes",
    summary: "counts all nodes of a preview, and lists the first two",
    behaviour: previews(({ node }) => {
      node.splice(2);
    }),
  },
  {
    name: "fetches-twice",
    summary: "fetches every subscription twice",
    behaviour: {
      imports: (honest) => async (url, signal, collector) => {
        await honest(url, signal, { add: () => {}, finish: () => {} });
        return honest(url, signal, collector);
      },
    },
  },
  {
    name: "one-import-at-a-time",
    summary: "refuses previews and imports while another is pending",
    behaviour: {
      imports: (honest) => {
        let isBusy = false;
        return async (...call) => {
          if (isBusy) throw new ConnectError("Another import is pending", Code.ResourceExhausted);
          isBusy = true;
          try {
            return await honest(...call);
          } finally {
            isBusy = false;
          }
        };
      },
    },
  },
  {
    name: "requires-token",
    summary: "returns UNAUTHENTICATED to callers without a token",
    behaviour: {
      handlers: () => {
        const refused = () => {
          throw new ConnectError("Send a token", Code.Unauthenticated);
        };
        return { previewImport: refused, applyImport: refused, selectNode: refused, loginCancel: refused };
      },
    },
  },
  {
    name: "closes-connections",
    summary: "closes the connection after every response on HTTP/1.1",
    behaviour: {
      protocol: "connect",
      listener: (honest) => (request, response) => {
        response.setHeader("connection", "close");
        honest(request, response);
      },
    },
  },
];

/** The runtime speaks Trojan over TLS on TCP, like that of the reference. */
function isSupported(node: ProxyNode | undefined): boolean {
  return node?.protocol === "trojan" && node.transport === "tcp" && node.security === "tls";
}
