import { create, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import { type Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import type { ContentPart } from "../../../reference/daemon/import/content.js";
import type { ImportedNode, RejectedEntry } from "../../../reference/daemon/import/entry.js";
import type { About } from "../../../reference/daemon/import/import-subscription.js";
import type { Services } from "../../../reference/daemon/services.js";
import { parseUrl } from "../../../src/base/parse-url.js";
import {
  type ProxySubscriptionApplyRequest,
  type ProxySubscriptionApplyResponse,
  ProxySubscriptionApplyResponseSchema,
  type ProxySubscriptionPreviewResponse,
  ProxySubscriptionPreviewResponseSchema,
  type ProxySubscriptionSelectRequest,
  type ProxySubscriptionSelectResponse,
  ProxySubscriptionSelectResponseSchema,
} from "../../../src/daemon/index.js";
import type { DaemonBehaviour, Handlers, Log } from "./behaviour.js";

type Rpc<Request, Reply> = (request: Request, context: HandlerContext) => Promise<Reply>;

/** The RPCs that change networks. */
export interface NetworkRpcs {
  readonly apply: Rpc<ProxySubscriptionApplyRequest, MessageInitShape<typeof ProxySubscriptionApplyResponseSchema>>;
  readonly select: Rpc<ProxySubscriptionSelectRequest, MessageInitShape<typeof ProxySubscriptionSelectResponseSchema>>;
}

/** The RPCs of the reference, whose replies have every field. */
export interface HonestNetworkRpcs {
  readonly apply: Rpc<ProxySubscriptionApplyRequest, ProxySubscriptionApplyResponse>;
  readonly select: Rpc<ProxySubscriptionSelectRequest, ProxySubscriptionSelectResponse>;
}

/** Applies imports and selects nodes in another way. `make` is called for each daemon, so that daemons share no state. */
export function networks(
  make: (honest: HonestNetworkRpcs, services: Services) => Partial<NetworkRpcs>,
): DaemonBehaviour {
  return {
    handlers: (honest, _log, services) => {
      const complete: HonestNetworkRpcs = {
        apply: async (...call) => create(ProxySubscriptionApplyResponseSchema, await honest.applyImport(...call)),
        select: async (...call) => create(ProxySubscriptionSelectResponseSchema, await honest.selectNode(...call)),
      };
      const { apply = complete.apply, select = complete.select } = make(complete, services);
      return { ...honest, applyImport: apply, selectNode: select };
    },
  };
}

/** Changes the handler of one RPC. */
export function changesRpc<Rpc extends keyof Handlers>(
  rpc: Rpc,
  change: (honest: Handlers[Rpc], log: Log, services: Services) => Handlers[Rpc],
): DaemonBehaviour {
  return { handlers: (honest, log, services) => ({ ...honest, [rpc]: change(honest[rpc], log, services) }) };
}

/** Lacks an RPC. */
export function lacks(rpc: keyof Handlers): DaemonBehaviour {
  return { handlers: ({ [rpc]: _, ...others }) => others };
}

type RequestOf<Handler> = Handler extends (request: infer Request, context: HandlerContext) => unknown
  ? Request
  : never;

/** Returns an error from an RPC, if a condition holds. */
export function refuses<Rpc extends keyof Handlers>(
  rpc: Rpc,
  code: Code,
  when: (request: RequestOf<Handlers[Rpc]>) => boolean = () => true,
): DaemonBehaviour {
  return beforeEach((_context, request, called) => {
    if (called === rpc && when(request as RequestOf<Handlers[Rpc]>)) throw new ConnectError("Not today", code);
  });
}

/** Does something before every call. */
export function beforeEach(
  act: (context: HandlerContext, request: Message, rpc: keyof Handlers) => unknown,
): DaemonBehaviour {
  return {
    handlers: (honest) => ({
      previewImport: async (request, context) => {
        await act(context, request, "previewImport");
        return honest.previewImport(request, context);
      },
      applyImport: async (request, context) => {
        await act(context, request, "applyImport");
        return honest.applyImport(request, context);
      },
      selectNode: async (request, context) => {
        await act(context, request, "selectNode");
        return honest.selectNode(request, context);
      },
      loginCancel: async (request, context) => {
        await act(context, request, "loginCancel");
        return honest.loginCancel(request, context);
      },
    }),
  };
}

/** Acts after each import, and changes the fields of its reply that `act` returns. */
export function afterApply(
  act: (
    reply: ProxySubscriptionApplyResponse,
    request: ProxySubscriptionApplyRequest,
    services: Services,
  ) => MessageInitShape<typeof ProxySubscriptionApplyResponseSchema>,
): DaemonBehaviour {
  return networks(({ apply }, services) => ({
    apply: async (request, context) => {
      const reply = await apply(request, context);
      return { ...reply, ...act(reply, request, services) };
    },
  }));
}

/** Acts after each import that failed. */
export function afterFailedApply(
  act: (
    request: ProxySubscriptionApplyRequest,
    about: {
      readonly apply: HonestNetworkRpcs["apply"];
      readonly context: HandlerContext;
      readonly services: Services;
    },
  ) => unknown,
): DaemonBehaviour {
  return networks(({ apply }, services) => ({
    apply: async (request, context) => {
      try {
        return await apply(request, context);
      } catch (error) {
        await act(request, { apply, context, services });
        throw error;
      }
    },
  }));
}

/** Acts after each selection, and changes the fields of its reply that `act` returns. */
export function afterSelect(
  act: (
    reply: ProxySubscriptionSelectResponse,
    request: ProxySubscriptionSelectRequest,
    services: Services,
  ) => MessageInitShape<typeof ProxySubscriptionSelectResponseSchema>,
): DaemonBehaviour {
  return networks(({ select }, services) => ({
    select: async (request, context) => {
      const reply = await select(request, context);
      return { ...reply, ...act(reply, request, services) };
    },
  }));
}

/** Changes every preview in place. */
export function previews(
  change: (preview: ProxySubscriptionPreviewResponse, url: string) => void | Promise<void>,
): DaemonBehaviour {
  return {
    handlers: (honest) => ({
      ...honest,
      previewImport: async (request, context) => {
        const preview = create(ProxySubscriptionPreviewResponseSchema, await honest.previewImport(request, context));
        await change(preview, request.url);
        return preview;
      },
    }),
  };
}

/** Changes the URL before it is fetched. */
export function fetches(change: (url: URL) => void): DaemonBehaviour {
  return {
    imports: (honest) => (text, signal, collector) => {
      const url = parseUrl(text);
      if (url === undefined) return honest(text, signal, collector);
      change(url);
      return honest(url.href, signal, collector);
    },
  };
}

/** The entries of a subscription and the facts about it. */
export interface WholeContent {
  readonly nodes: readonly ImportedNode[];
  readonly rejected: readonly RejectedEntry[];
  readonly about: About;
}

/** Reads subscriptions in another way, for previews and imports alike. */
export function reads(change: (content: WholeContent, url: string) => ContentPart & { readonly about?: About }) {
  return {
    imports: (honest) => (url, signal, collector) => {
      const nodes: ImportedNode[] = [];
      const rejected: RejectedEntry[] = [];
      return honest(url, signal, {
        add: (part) => {
          nodes.push(...part.nodes);
          rejected.push(...part.rejected);
        },
        finish: (about) => {
          const changed = change({ nodes, rejected, about }, url);
          collector.add(changed);
          return collector.finish(changed.about ?? about);
        },
      });
    },
  } satisfies DaemonBehaviour;
}

/** Renumbers networks or nodes: `outer` converts a number of the reference to the one that the caller sees. */
export function numbers(
  of: "ids" | "ordinals",
  outer: (inner: number) => number,
  inner: (outer: number) => number,
): DaemonBehaviour {
  const [outId, inId] = of === "ids" ? [outer, inner] : [same, same];
  const [outOrdinal, inOrdinal] = of === "ordinals" ? [outer, inner] : [same, same];
  const renumbered = previews(({ node, rejected }) => {
    for (const entry of [...node, ...rejected]) entry.ordinal = outOrdinal(entry.ordinal);
  });
  const imports = networks(({ apply, select }) => ({
    apply: async (request, context) => {
      const [id, selectedOrdinal] = [inId(request.id), inOrdinal(request.selectedOrdinal)];
      const reply = await apply({ ...request, id, selectedOrdinal }, context);
      return { ...reply, id: outId(reply.id), selectedOrdinal: outOrdinal(reply.selectedOrdinal) };
    },
    select: async (request, context) => {
      const [id, selectedOrdinal] = [inId(request.id), inOrdinal(request.selectedOrdinal)];
      await select({ ...request, id, selectedOrdinal }, context);
      return { id: request.id, selectedOrdinal: request.selectedOrdinal };
    },
  }));
  return combined(renumbered, imports);
}

function same(number: number): number {
  return number;
}

/** Combines two behaviours; the second wraps the first. */
export function combined(inner: DaemonBehaviour, outer: DaemonBehaviour): DaemonBehaviour {
  return {
    ...inner,
    ...outer,
    handlers: (honest, log, services) => {
      const changed = { ...honest, ...inner.handlers?.(honest, log, services) };
      return { ...changed, ...outer.handlers?.(changed, log, services) };
    },
  };
}
