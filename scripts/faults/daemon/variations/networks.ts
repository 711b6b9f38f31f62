import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { parseUrl } from "../../../../src/parse-url.js";
import { networks, numbers, previews } from "../changed-handlers.js";
import { storedOrdinals } from "../stored-networks.js";
import type { DaemonVariation } from "../variation.js";

const maxLookMs = 300;

/** Other choices about previews, networks and redirects. */
export const networkVariations: readonly DaemonVariation[] = [
  {
    name: "one-network",
    summary: "has a single network, which every import replaces",
    behaviour: networks(({ apply }) => {
      let own: Promise<number> | undefined;
      return {
        apply: async (request, context) => {
          own ??= apply({ ...request, id: 0 }, context).then(({ id }) => id);
          const id = await own.catch((error) => {
            own = undefined;
            throw error;
          });
          return apply({ ...request, id }, context);
        },
      };
    }),
  },
  {
    name: "selects-anything",
    summary: "returns success from SelectNode when there is no such node or network",
    behaviour: networks(({ select }) => ({
      select: (request, context) =>
        select(request, context).catch(() => ({ id: request.id, selectedOrdinal: request.selectedOrdinal })),
    })),
  },
  {
    name: "negative-ordinals",
    summary: "numbers nodes from -1 downwards",
    behaviour: numbers(
      "ordinals",
      (ordinal) => 0 - ordinal,
      (ordinal) => 0 - ordinal,
    ),
  },
  {
    name: "imports-in-the-background",
    summary: "returns the count 0 from ApplyImport, because it counts nodes later",
    behaviour: networks(({ apply }) => ({
      apply: async (request, context) => ({ ...(await apply(request, context)), importedCount: 0 }),
    })),
  },
  {
    name: "selects-first-by-default",
    summary: "selects the first node when an import selects none",
    behaviour: networks(({ apply, select }, services) => ({
      apply: async (request, context) => {
        const reply = await apply(request, context);
        const [selectedOrdinal] = storedOrdinals(services, reply.id);
        if (reply.selectedOrdinal !== 0 || selectedOrdinal === undefined) return reply;
        await select({ ...selectRequest, id: reply.id, selectedOrdinal }, context);
        return { ...reply, selectedOrdinal };
      },
    })),
  },
  {
    name: "new-id-with-every-import",
    summary: "gives a network a new id with every import into it",
    behaviour: networks(({ apply }) => ({
      apply: (request, context) => apply({ ...request, id: 0 }, context),
    })),
  },
  {
    name: "selects-by-other-ordinals",
    summary: "numbers nodes in SelectNode differently from a preview",
    behaviour: networks(({ select }) => ({
      select: async (request, context) => {
        const { id, selectedOrdinal } = request;
        await select({ ...request, selectedOrdinal: selectedOrdinal - ordinalOffset }, context);
        return { id, selectedOrdinal };
      },
    })),
  },
  {
    name: "supports-every-protocol",
    summary: "has a runtime that supports every node, and gives no warnings",
    behaviour: previews(({ node }) => {
      for (const one of node) Object.assign(one, { runtimeSupported: true, warnings: [] });
    }),
  },
  {
    name: "always-warns",
    summary: "adds a warning to each node and each preview",
    behaviour: previews(({ node, warnings }) => {
      for (const one of node) one.warnings.push("Speed depends on the distance.");
      warnings.push("Prices may change.");
    }),
  },
  {
    name: "previews-only-name",
    summary: "previews the name and the format of a subscription, and reads its nodes only when it is imported",
    behaviour: previews((preview) => {
      Object.assign(preview, { compatibleCount: 0, rejectedCount: 0, node: [], rejected: [] });
    }),
  },
  {
    name: "follows-no-redirects",
    summary: "refuses to follow redirects",
    behaviour: {
      imports: (honest) => async (text, signal, collector) => {
        const look = async () => {
          const { status } = await fetch(parseUrl(text)?.href ?? "", {
            redirect: "manual",
            signal: AbortSignal.timeout(maxLookMs),
          });
          return status >= 300 && status < 400;
        };
        // A host that cannot be fetched gets the usual error.
        const isRedirected = await Promise.race([look().catch(() => false), sleep(maxLookMs, false)]);
        if (isRedirected) throw new ConnectError("The host redirects", Code.FailedPrecondition);
        return honest(text, signal, collector);
      },
    },
  },
  {
    name: "other-codes-for-limits",
    summary:
      "returns OUT_OF_RANGE for subscriptions beyond its limits, and DATA_LOSS for those that it cannot decompress",
    behaviour: networks(({ apply }) => ({
      apply: (request, context) =>
        apply(request, context).catch((error) => {
          const { code, rawMessage } = ConnectError.from(error);
          throw new ConnectError(rawMessage, code === Code.ResourceExhausted ? Code.OutOfRange : Code.DataLoss);
        }),
    })),
  },
];

const ordinalOffset = 500;
const selectRequest = { $typeName: "proxydaemon.v1.ProxySubscriptionSelectRequest" } as const;
