import { Code, ConnectError } from "@connectrpc/connect";
import type { ProxyNode } from "../../../../reference/daemon/import/proxy-node.js";
import { refuses } from "../changed-handlers.js";
import { variation } from "../describe.js";
import type { DaemonVariation } from "../fault.js";
import { overwrite, storedNetwork, storedNode, storedOrdinals } from "../stored-networks.js";

const maxEntries = 2;
const maxInt32 = 2 ** 31 - 1;

/** Choices other than those of the reference. */
export const choiceVariations: readonly DaemonVariation[] = [
  variation("ids-below-zero", "numbers networks from -1 downwards").numbers(
    "ids",
    (id) => 0 - id,
    (id) => 0 - id,
  ),
  variation("ids-from-the-largest", "numbers networks from 2147483647 downwards").numbers(
    "ids",
    (id) => maxInt32 - id + 1,
    (id) => (id <= 0 ? id : maxInt32 - id + 1),
  ),
  variation(
    "unknown-node-imports-none-selected",
    "imports a subscription without a selection when the selected ordinal has no node",
  ).networks(({ apply }) => ({
    apply: (request, context) =>
      apply(request, context).catch(() => apply({ ...request, selectedOrdinal: 0 }, context)),
  })),
  variation(
    "unknown-id-imports-into-new-network",
    "imports into a new network when there is none with the id",
  ).networks(({ apply }, services) => ({
    apply: (request, context) =>
      apply(storedNetwork(services, request.id) === undefined ? { ...request, id: 0 } : request, context),
  })),
  variation("unique-names", "refuses to import a second network of the same name").networks(({ apply }) => {
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
  variation("requires-name", "refuses imports without a name").by(
    refuses("applyImport", Code.InvalidArgument, ({ name }) => name === ""),
  ),
  variation("requires-selection", "refuses imports that select no node").by(
    refuses("applyImport", Code.InvalidArgument, ({ selectedOrdinal }) => selectedOrdinal === 0),
  ),
  variation("limits-entries", "refuses subscriptions of more than two entries").reads((content) => {
    if (content.nodes.length + content.rejected.length > maxEntries)
      throw new ConnectError("The subscription has too many entries", Code.ResourceExhausted);
    return content;
  }),
  variation(
    "reimport-selects-none",
    "selects no node when an import into a network asks for none, whatever was selected before",
  ).afterApply(({ id }, request, services) => {
    if (request.selectedOrdinal !== 0) return {};
    overwrite(services, { selected_ordinal: 0 }, id);
    return { selectedOrdinal: 0 };
  }),
  variation(
    "imports-only-supported-nodes",
    "previews all nodes, and imports and counts only those that its runtime supports",
  ).networks(({ apply, select }, services) => ({
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
  variation("lists-first-two-nodes", "counts all nodes of a preview, and lists the first two").previews(({ node }) => {
    node.splice(2);
  }),
  variation("fetches-twice", "fetches every subscription twice").by({
    imports: (honest) => async (url, signal, collector) => {
      await honest(url, signal, { add: () => {}, finish: () => {} });
      return honest(url, signal, collector);
    },
  }),
  variation("one-import-at-a-time", "refuses previews and imports while another is pending").by({
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
  }),
  variation("requires-token", "returns UNAUTHENTICATED to callers without a token").beforeEach(() => {
    throw new ConnectError("Send a token", Code.Unauthenticated);
  }),
  variation("closes-connections", "closes the connection after every response on HTTP/1.1").by({
    protocol: "connect",
    listener: (honest) => (request, response) => {
      response.setHeader("connection", "close");
      honest(request, response);
    },
  }),
];

/** The runtime speaks Trojan over TLS on TCP, like that of the reference. */
function isSupported(node: ProxyNode | undefined): boolean {
  return node?.protocol === "trojan" && node.transport === "tcp" && node.security === "tls";
}
