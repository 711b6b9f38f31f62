import { ConnectError } from "@connectrpc/connect";
import { ofFamily } from "../../fault.js";
import type { DaemonBehaviour } from "../behaviour.js";
import { changesRpc, combined, networks } from "../changed-handlers.js";
import { fault } from "../describe.js";
import type { DaemonFault } from "../fault.js";
import { changesFetchErrors, type FailedFetch } from "../fetch-errors.js";

const always = ["redaction.message", "redaction.every-cause", "redaction.user-interface"];

/** Quotes the URL in some errors and not in others. */
function quotesIf(condition: (failed: FailedFetch) => boolean): DaemonBehaviour {
  return changesFetchErrors((failed) => (condition(failed) ? quoting(failed.error, failed.url) : failed.error));
}

function quoting({ rawMessage, code }: ConnectError, url: string): ConnectError {
  return new ConnectError(`${rawMessage}: ${url}`, code);
}

/** Secrets that only some errors show. */
export const rareRedactionFaults: readonly DaemonFault[] = ofFamily("redaction elsewhere", [
  fault("url-last-characters", "quotes the last four characters of a URL")
    .breaks("redaction.parts")
    .quotes((url) => `…${url.slice(-4)}`),
  fault("url-on-second-failure", "quotes a URL when it fails for the second time")
    .breaks("redaction.query-value", ...always)
    .checkedBy("case redact-second-failure")
    .by(onSecondFailure()),
  fault("url-on-update", "quotes a URL that it fetches for an existing network")
    .breaks("redaction.query-value", ...always)
    .checkedBy("case redact-on-update")
    .by(
      changesRpc("applyImport", (apply) => async (request, context) => {
        try {
          return await apply(request, context);
        } catch (error) {
          throw request.id > 0 ? quoting(ConnectError.from(error), request.url) : error;
        }
      }),
    ),
  fault("url-in-later-select-error", "quotes the URL that failed last when it refuses a selection")
    .breaks("redaction.later-calls")
    .by(inSelectErrors()),
  fault("url-of-canceled-call-in-log", "logs the URL of a call that the caller has cancelled")
    .breaks("redaction.logs")
    .checkedBy("case redact-canceled")
    .by(
      changesRpc("previewImport", (preview, log) => async (request, context) => {
        try {
          return await preview(request, context);
        } catch (error) {
          if (context.signal.aborted) log(`canceled: ${request.url}`);
          throw error;
        }
      }),
    ),
  fault("url-quoted-when-too-long", "quotes a URL that is too long")
    .breaks("redaction.before-fetching")
    .checkedBy("case redact-too-long-url")
    .by(quotesIf(({ error }) => error.rawMessage.startsWith("url is too long"))),
  fault("url-after-unresolved-host", "quotes the URL when the name of the host cannot be resolved")
    .breaks("redaction.password", ...always)
    .checkedBy("case redact-password-of-unknown-host")
    .by(quotesIf(({ error }) => error.rawMessage.startsWith("The host name cannot be resolved"))),
]);

function onSecondFailure(): DaemonBehaviour {
  return {
    handlers: (honest, log, services) => {
      const failed = new Set<string>();
      const telling = changesFetchErrors(({ url, error }) => {
        if (failed.has(url)) return quoting(error, url);
        failed.add(url);
        return error;
      });
      return telling.handlers?.(honest, log, services) ?? honest;
    },
  };
}

function inSelectErrors(): DaemonBehaviour {
  return {
    handlers: (honest, log, services) => {
      let last: string | undefined;
      const remembering = changesFetchErrors(({ url, error }) => {
        last = url;
        return error;
      });
      const quotingLast = networks(({ select }) => ({
        select: async (...call) => {
          try {
            return await select(...call);
          } catch (error) {
            throw last === undefined ? error : quoting(ConnectError.from(error), last);
          }
        },
      }));
      return combined(remembering, quotingLast).handlers?.(honest, log, services) ?? honest;
    },
  };
}
