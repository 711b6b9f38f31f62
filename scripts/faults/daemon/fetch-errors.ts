import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import type { DaemonBehaviour, Handlers, Log } from "./behaviour.js";

/** A call whose fetch failed. */
export interface FailedFetch {
  readonly url: string;
  /** The error of the reference, which contains no secret. */
  readonly error: ConnectError;
  readonly context: HandlerContext;
  readonly log: Log;
}

/** An RPC that fetches. */
export type FetchingRpc = "previewImport" | "applyImport";

/** Creates the error of a failed fetch. */
export type ChangeFetchError = (failed: FailedFetch) => ConnectError | Promise<ConnectError>;

/** The common type of both handlers. */
type Fetching<Request, Reply> = (request: Request, context: HandlerContext) => Reply | Promise<Reply>;

/** Replaces the errors of failed fetches. */
export function changesFetchErrors(
  change: ChangeFetchError,
  rpcs: readonly FetchingRpc[] = ["previewImport", "applyImport"],
): DaemonBehaviour {
  const wrap =
    <Request extends { readonly url: string }, Reply>(handler: Fetching<Request, Reply>, log: Log) =>
    async (request: Request, context: HandlerContext): Promise<Reply> => {
      try {
        return await handler(request, context);
      } catch (error) {
        throw await change({ url: request.url, error: ConnectError.from(error), context, log });
      }
    };
  return {
    handlers: ({ previewImport, applyImport, ...others }, log) => ({
      ...others,
      previewImport: rpcs.includes("previewImport") ? wrap(previewImport, log) : previewImport,
      applyImport: rpcs.includes("applyImport") ? wrap(applyImport, log) : applyImport,
    }),
  };
}

/** Returns a reply instead of an error if the fetch of a preview fails. */
export function repliesInstead(
  preview: (url: string) => Awaited<ReturnType<Handlers["previewImport"]>>,
): DaemonBehaviour {
  return {
    handlers: (honest) => ({
      ...honest,
      previewImport: async (request, context) => {
        try {
          return await honest.previewImport(request, context);
        } catch {
          return preview(request.url);
        }
      },
    }),
  };
}

/** Appends text to the messages of fetch errors. */
export function quotes(
  show: (url: string) => string | Promise<string>,
  rpcs?: readonly FetchingRpc[],
): DaemonBehaviour {
  return changesFetchErrors(
    async ({ url, error }) => new ConnectError(`${error.rawMessage}: ${await show(url)}`, error.code),
    rpcs,
  );
}

/** Fetches by itself and fails every preview with a text about the result. */
export function quotesInstead(show: (url: string) => Promise<string>): DaemonBehaviour {
  return {
    handlers: (honest) => ({
      ...honest,
      previewImport: async ({ url }) => {
        throw new ConnectError(await show(url), Code.Unavailable);
      },
    }),
  };
}
