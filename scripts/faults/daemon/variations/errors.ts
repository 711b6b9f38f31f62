import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { parseUrl } from "../../../../src/base/parse-url.js";
import { redactUrl } from "../../../../src/daemon/index.js";
import type { DaemonBehaviour, Handlers } from "../behaviour.js";
import { changesRpc, combined, refuses } from "../changed-handlers.js";
import { variation } from "../describe.js";
import type { DaemonVariation } from "../fault.js";
import { changesFetchErrors } from "../fetch-errors.js";

/** Rejects the requests for which a condition holds. */
function refusesContent(
  condition: (preview: Awaited<ReturnType<Handlers["previewImport"]>>, url: string) => boolean,
): DaemonBehaviour {
  return {
    handlers: (honest) => {
      const check: Handlers["previewImport"] = async (request, context) => {
        const preview = await honest.previewImport(request, context);
        if (condition(preview, request.url)) throw new ConnectError("Refused", Code.InvalidArgument);
        return preview;
      };
      return {
        ...honest,
        previewImport: check,
        applyImport: async (request, context) => {
          await check({ $typeName: "proxydaemon.v1.ProxySubscriptionImportRequest", url: request.url }, context);
          return honest.applyImport(request, context);
        },
      };
    },
  };
}

/** Errors that differ where the contract is open. None shows a secret. */
export const errorVariations: readonly DaemonVariation[] = [
  variation("other-codes-and-texts", "returns ABORTED with a text in another language for every failure").by({
    handlers: (honest) => {
      const refused = () => {
        throw new ConnectError("Das ging leider nicht: „Zürich“ antwortet nicht.\n\nNoch einmal?", Code.Aborted);
      };
      return {
        ...honest,
        previewImport: async (...call) => await Promise.resolve(honest.previewImport(...call)).catch(refused),
        applyImport: async (...call) => await Promise.resolve(honest.applyImport(...call)).catch(refused),
        selectNode: async (...call) => await Promise.resolve(honest.selectNode(...call)).catch(refused),
      };
    },
  }),
  variation("errors-without-text", "returns errors without a message").changesFetchErrors(
    ({ error }) => new ConnectError("", error.code),
  ),
  variation(
    "url-without-secrets",
    "shows the URL in errors, details, trailers and log with `***` for its secrets",
  ).changesFetchErrors(({ url, error, log }) => {
    const shown = masked(url);
    log(JSON.stringify({ level: "warn", msg: error.rawMessage, url: shown }));
    return new ConnectError(
      `${error.rawMessage}: ${shown}`,
      error.code,
      { "x-url": encodeURI(shown), "x-url-bin": Buffer.from(shown).toString("base64") },
      [{ desc: StringValueSchema, value: { value: shown } }],
    );
  }),
  variation("details-of-unknown-types", "adds details of unknown types whose bytes are not text").changesFetchErrors(
    ({ error }) => {
      const changed = new ConnectError(error.rawMessage, error.code);
      changed.details.push({ type: "example.Failure", value: Uint8Array.of(0xff, 0x00, 0xfe, 0x80) });
      return changed;
    },
  ),
  variation("details-with-debug-text", "adds details with debug texts over Connect, such as a source location").by({
    protocol: "connect",
    ...changesFetchErrors(({ error }) => {
      const changed = new ConnectError(error.rawMessage, error.code);
      const debug = { detail: "fetch.go:214: dial tcp: i/o timeout", attempts: 3 };
      changed.details.push({ type: "google.rpc.DebugInfo", value: new Uint8Array(), debug });
      return changed;
    }),
  }),
  variation("replies-when-fetching-fails", "returns a preview with a warning if fetching fails").repliesInstead(
    (url) => ({
      suggestedName: "Subscription",
      warnings: [`${redactUrl(url)} cannot be fetched.`],
    }),
  ),
  variation("refuses-empty-subscriptions", "rejects a subscription without compatible nodes").by(
    refusesContent(({ node = [] }) => node.length === 0),
  ),
  variation("refuses-rejected-entries", "rejects a subscription that has a rejected entry").by(
    refusesContent(({ rejected = [] }) => rejected.length > 0),
  ),
  variation(
    "refuses-credentials",
    "rejects URLs with a user name or password in PreviewImport without fetching them",
  ).by(refuses("previewImport", Code.InvalidArgument, ({ url }) => url.includes("@"))),
  variation("creates-no-networks", "rejects ApplyImport with `id` 0, so that it cannot import anything").by(
    refuses("applyImport", Code.NotFound, ({ id }) => id === 0),
  ),
  variation("https-only", "does not fetch over plain HTTP").by(
    combined(refuses("previewImport", Code.InvalidArgument), refuses("applyImport", Code.InvalidArgument)),
  ),
  variation("rejects-every-format", "returns one rejected entry for every subscription, because it knows no format").by(
    changesRpc("previewImport", (preview) => async (...call) => {
      await preview(...call);
      return { rejectedCount: 1, rejected: [{ reason: "The format is not known." }] };
    }),
  ),
  variation("requires-login", "returns FAILED_PRECONDITION from LoginCancel if no login is pending").by(
    refuses("loginCancel", Code.FailedPrecondition),
  ),
  variation("refuses-selected-node", "rejects selecting the selected node, and selecting none").networks(
    ({ apply, select }) => {
      const selected = new Map<number, number>();
      return {
        apply: async (request, context) => {
          const reply = await apply(request, context);
          selected.set(reply.id, reply.selectedOrdinal);
          return reply;
        },
        select: async (request, context) => {
          const { id, selectedOrdinal } = request;
          const isSelected = selectedOrdinal === 0 || selected.get(id) === selectedOrdinal;
          if (isSelected) throw new ConnectError("Nothing to do", Code.AlreadyExists);
          return select(request, context);
        },
      };
    },
  ),
];

/** Keeps scheme, host, port and query keys, and the length of the masked path. */
function masked(url: string): string {
  if (parseUrl(url) === undefined) return "***";
  const { protocol, host, username, pathname, searchParams } = new URL(url);
  const keys = [...searchParams].map(([key, value]) => `${value === "" ? "***" : key}=***`).join("&");
  const user = username === "" ? "" : "***:***@";
  return `${protocol}//${user}${host}/***(${pathname.length})${keys === "" ? "" : `?${keys}`}`;
}
