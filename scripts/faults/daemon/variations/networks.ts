import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { parseUrl } from "../../../../src/base/parse-url.js";
import { variation } from "../describe.js";
import type { DaemonVariation } from "../fault.js";
import { overwrite, storedOrdinals } from "../stored-networks.js";

const maxLookMs = 300;

/** Other choices about previews, networks and redirects. */
export const networkVariations: readonly DaemonVariation[] = [
  variation("one-network", "has a single network, which every import replaces").networks(({ apply }) => {
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
  variation("selects-anything", "returns success from SelectNode when there is no such node or network").networks(
    ({ select }) => ({
      select: (request, context) =>
        select(request, context).catch(() => ({ id: request.id, selectedOrdinal: request.selectedOrdinal })),
    }),
  ),
  variation("negative-ordinals", "numbers nodes from -1 downwards").numbers(
    "ordinals",
    (ordinal) => 0 - ordinal,
    (ordinal) => 0 - ordinal,
  ),
  variation(
    "imports-in-the-background",
    "returns the count 0 from ApplyImport, because it counts nodes later",
  ).afterApply(() => ({ importedCount: 0 })),
  variation("selects-first-by-default", "selects the first node when an import selects none").afterApply(
    ({ id, selectedOrdinal }, _, services) => {
      const [first] = storedOrdinals(services, id);
      if (selectedOrdinal !== 0 || first === undefined) return {};
      overwrite(services, { selected_ordinal: first }, id);
      return { selectedOrdinal: first };
    },
  ),
  variation("new-id-with-every-import", "gives a network a new id with every import into it").networks(({ apply }) => ({
    apply: (request, context) => apply({ ...request, id: 0 }, context),
  })),
  variation("selects-by-other-ordinals", "numbers nodes in SelectNode differently from a preview").networks(
    ({ select }) => ({
      select: async (request, context) => {
        const { id, selectedOrdinal } = request;
        await select({ ...request, selectedOrdinal: selectedOrdinal - ordinalOffset }, context);
        return { id, selectedOrdinal };
      },
    }),
  ),
  variation("supports-every-protocol", "has a runtime that supports every node, and gives no warnings").previews(
    ({ node }) => {
      for (const one of node) Object.assign(one, { runtimeSupported: true, warnings: [] });
    },
  ),
  variation("always-warns", "adds a warning to each node and each preview").previews(({ node, warnings }) => {
    for (const one of node) one.warnings.push("Speed depends on the distance.");
    warnings.push("Prices may change.");
  }),
  variation(
    "previews-only-name",
    "previews the name and the format of a subscription, and reads its nodes only when it is imported",
  ).previews((preview) => {
    Object.assign(preview, { compatibleCount: 0, rejectedCount: 0, node: [], rejected: [] });
  }),
  variation("follows-no-redirects", "refuses to follow redirects").by({
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
  }),
  variation(
    "other-codes-for-limits",
    "returns OUT_OF_RANGE for subscriptions beyond its limits, and DATA_LOSS for those that it cannot decompress",
  ).networks(({ apply }) => ({
    apply: (request, context) =>
      apply(request, context).catch((error) => {
        const { code, rawMessage } = ConnectError.from(error);
        throw new ConnectError(rawMessage, code === Code.ResourceExhausted ? Code.OutOfRange : Code.DataLoss);
      }),
  })),
];

const ordinalOffset = 500;
