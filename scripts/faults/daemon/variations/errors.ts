import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { redactUrl } from "../../../../src/daemon/index.js";
import { parseUrl } from "../../../../src/parse-url.js";
import type { DaemonBehaviour, Handlers } from "../behaviour.js";
import { changesFetchErrors, repliesInstead } from "../fetch-errors.js";
import type { DaemonVariation } from "../variation.js";

/** Rejects the requests for which a condition holds. */
function refuses(
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
  {
    name: "other-codes-and-texts",
    summary: "returns ABORTED with a text in another language for every failure",
    behaviour: {
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
    },
  },
  {
    name: "errors-without-text",
    summary: "returns errors without a message",
    behaviour: changesFetchErrors(({ error }) => new ConnectError("", error.code)),
  },
  {
    name: "url-without-secrets",
    summary: "shows the URL in errors, details, trailers and log with `***` for its secrets",
    behaviour: changesFetchErrors(({ url, error, log }) => {
      const shown = masked(url);
      log(JSON.stringify({ level: "warn", msg: error.rawMessage, url: shown }));
      return new ConnectError(
        `${error.rawMessage}: ${shown}`,
        error.code,
        { "x-url": encodeURI(shown), "x-url-bin": Buffer.from(shown).toString("base64") },
        [{ desc: StringValueSchema, value: { value: shown } }],
      );
    }),
  },
  {
    name: "details-of-unknown-types",
    summary: "adds details of unknown types whose bytes are not text",
    behaviour: changesFetchErrors(({ error }) => {
      const changed = new ConnectError(error.rawMessage, error.code);
      changed.details.push({ type: "example.Failure", value: Uint8Array.of(0xff, 0x00, 0xfe, 0x80) });
      return changed;
    }),
  },
  {
    name: "details-with-debug-text",
    summary: "adds details with debug texts over Connect, such as a source location",
    behaviour: {
      protocol: "connect",
      ...changesFetchErrors(({ error }) => {
        const changed = new ConnectError(error.rawMessage, error.code);
        const debug = { detail: "fetch.go:214: dial tcp: i/o timeout", attempts: 3 };
        changed.details.push({ type: "google.rpc.DebugInfo", value: new Uint8Array(), debug });
        return changed;
      }),
    },
  },
  {
    name: "replies-when-fetching-fails",
    summary: "returns a preview with a warning if fetching fails",
    behaviour: repliesInstead((url) => ({
      suggestedName: "Subscription",
      warnings: [`${redactUrl(url)} cannot be fetched.`],
    })),
  },
  {
    name: "refuses-empty-subscriptions",
    summary: "rejects a subscription without compatible nodes",
    behaviour: refuses(({ node = [] }) => node.length === 0),
  },
  {
    name: "refuses-rejected-entries",
    summary: "rejects a subscription that has a rejected entry",
    behaviour: refuses(({ rejected = [] }) => rejected.length > 0),
  },
  {
    name: "refuses-credentials",
    summary: "rejects URLs with a user name or password in PreviewImport without fetching them",
    behaviour: {
      handlers: (honest) => ({
        ...honest,
        previewImport: (request, context) => {
          if (request.url.includes("@")) throw new ConnectError("The URL has credentials", Code.InvalidArgument);
          return honest.previewImport(request, context);
        },
      }),
    },
  },
  {
    name: "creates-no-networks",
    summary: "rejects ApplyImport with `id` 0, so that it cannot import anything",
    behaviour: {
      handlers: (honest) => ({
        ...honest,
        applyImport: (request, context) => {
          if (request.id === 0) throw new ConnectError("Create the network first", Code.NotFound);
          return honest.applyImport(request, context);
        },
      }),
    },
  },
  {
    name: "https-only",
    summary: "does not fetch over plain HTTP",
    behaviour: {
      handlers: (honest) => {
        const refused = () => {
          throw new ConnectError("The URL has to begin with https:", Code.InvalidArgument);
        };
        return { ...honest, previewImport: refused, applyImport: refused };
      },
    },
  },
  {
    name: "rejects-every-format",
    summary: "returns one rejected entry for every subscription, because it knows no format",
    behaviour: {
      handlers: (honest) => ({
        ...honest,
        previewImport: async (...call) => {
          await honest.previewImport(...call);
          return { rejectedCount: 1, rejected: [{ reason: "The format is not known." }] };
        },
      }),
    },
  },
  {
    name: "requires-login",
    summary: "returns FAILED_PRECONDITION from LoginCancel if no login is pending",
    behaviour: {
      handlers: (honest) => ({
        ...honest,
        loginCancel: () => {
          throw new ConnectError("No login is pending", Code.FailedPrecondition);
        },
      }),
    },
  },
  {
    name: "refuses-selected-node",
    summary: "rejects selecting the selected node, and selecting none",
    behaviour: {
      handlers: (honest) => {
        const selected = new Map<number, number>();
        return {
          ...honest,
          applyImport: async (request, context) => {
            const reply = await honest.applyImport(request, context);
            selected.set(reply.id ?? 0, reply.selectedOrdinal ?? 0);
            return reply;
          },
          selectNode: async (request, context) => {
            const { id, selectedOrdinal } = request;
            if (selectedOrdinal === 0 || selected.get(id) === selectedOrdinal)
              throw new ConnectError("Nothing to do", Code.AlreadyExists);
            return honest.selectNode(request, context);
          },
        };
      },
    },
  },
];

/** Keeps scheme, host, port and query keys, and the length of the masked path. */
function masked(url: string): string {
  if (parseUrl(url) === undefined) return "***";
  const { protocol, host, username, pathname, searchParams } = new URL(url);
  const keys = [...searchParams].map(([key, value]) => `${value === "" ? "***" : key}=***`).join("&");
  const user = username === "" ? "" : "***:***@";
  return `${protocol}//${user}${host}/***(${pathname.length})${keys === "" ? "" : `?${keys}`}`;
}
