import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import type { DaemonBehaviour, Handlers, Log } from "./behaviour.js";

/** A call whose subscription could not be fetched. */
export interface FailedFetch {
  readonly url: string;
  /** What the reference answers, which has no secret in it. */
  readonly error: ConnectError;
  readonly context: HandlerContext;
  readonly log: Log;
}

/** An RPC that fetches. */
export type FetchingRpc = "previewImport" | "applyImport";

/** Makes the error of a failed fetch. */
export type Tell = (failed: FailedFetch) => ConnectError | Promise<ConnectError>;

/** What both handlers have in common. */
type Fetching<Request, Reply> = (request: Request, context: HandlerContext) => Reply | Promise<Reply>;

/** Answers failed fetches with errors of its own. */
export function tells(tell: Tell, rpcs: readonly FetchingRpc[] = ["previewImport", "applyImport"]): DaemonBehaviour {
  const telling =
    <Request extends { readonly url: string }, Reply>(handler: Fetching<Request, Reply>, log: Log) =>
    async (request: Request, context: HandlerContext): Promise<Reply> => {
      try {
        return await handler(request, context);
      } catch (error) {
        throw await tell({ url: request.url, error: ConnectError.from(error), context, log });
      }
    };
  return {
    handlers: ({ previewImport, applyImport, ...others }, log) => ({
      ...others,
      previewImport: rpcs.includes("previewImport") ? telling(previewImport, log) : previewImport,
      applyImport: rpcs.includes("applyImport") ? telling(applyImport, log) : applyImport,
    }),
  };
}

/** Answers failed previews with a message. */
export function previewsAnyway(
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

/** Says in the message of the error what went wrong and, after that, more. */
export function says(show: (url: string) => string | Promise<string>, rpcs?: readonly FetchingRpc[]): DaemonBehaviour {
  return tells(async ({ url, error }) => new ConnectError(`${error.rawMessage}: ${await show(url)}`, error.code), rpcs);
}

/** Fetches in its own way, and answers every preview with an error about what came. */
export function saysInstead(show: (url: string) => Promise<string>): DaemonBehaviour {
  return {
    handlers: (honest) => ({
      ...honest,
      previewImport: async ({ url }) => {
        throw new ConnectError(await show(url), Code.Unavailable);
      },
    }),
  };
}
