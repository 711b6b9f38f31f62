import { parseUrl } from "../../base/parse-url.js";
import type { ServiceNames } from "../../daemon/service-names.js";
import { CouldNotRunError } from "../../verify/could-not-run-error.js";
import type { VerifyReport } from "../../verify/model/verify-report.js";
import { type CheckOptions, checkRecording } from "../har/check-recording.js";
import { createDaemonTraffic } from "./daemon-traffic.js";
import { createCallRouter } from "./route-call.js";

/** The recording to check, and how. */
export interface CheckDaemonHarOptions extends CheckOptions {
  /** The names of the daemon's services, if they differ from those of the contract. */
  readonly names?: ServiceNames;
}

/**
 * Judges the traffic of a daemon's client that a browser, a proxy or another tool recorded as HAR 1.2. Rejects with a `CouldNotRunError`
 * that says what to do, if the file is unreadable or leaves the daemon open.
 */
export function checkDaemonHar(options: CheckDaemonHarOptions): Promise<VerifyReport> {
  const route = createCallRouter(options.names);
  return checkRecording(
    options,
    {
      urlOf: ({ origin, exchange: { request } }) =>
        route(request.method, request.target).kind === "rpc" ? origin : undefined,
      parse: originOf,
      missing:
        "has no call to an RPC of the contract. Record the calls of a client of the daemon; if its package differs, give --package",
    },
    (url) => createDaemonTraffic(originOf(url), options.names),
  );
}

function originOf(url: string): string {
  const parsed = parseUrl(url);
  if (parsed === undefined)
    throw new CouldNotRunError(`${url.slice(0, 200)} is not a URL of a daemon, such as http://127.0.0.1:4020`);
  return parsed.origin;
}
