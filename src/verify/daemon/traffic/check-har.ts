import { parseUrl } from "../../../parse-url.js";
import type { Check } from "../../check.js";
import { CouldNotRunError } from "../../could-not-run-error.js";
import { readHar } from "../../traffic/har/read-har.js";
import type { RecordedExchange } from "../../traffic/traffic.js";
import type { VerifyReport } from "../../verify-report.js";
import { createDaemonTrafficJudge, type DaemonTrafficOptions } from "./judge-traffic.js";
import { createCallRouter } from "./route-call.js";

/** The recording to check, and how. */
export interface CheckDaemonHarOptions extends Omit<DaemonTrafficOptions, "address"> {
  readonly file: string;
  /** The URL of the daemon in the recording. Optional if the recording calls only one. */
  readonly url?: string;
  /** Called with each finding when it occurs for the first time. */
  readonly onFinding?: (check: Check) => void;
  /** Called with each exchange, before it is judged. */
  readonly onExchange?: (exchange: RecordedExchange) => void;
}

/**
 * Judges the traffic of a daemon's client that a browser, a proxy or another tool recorded as HAR 1.2. Rejects with a `CouldNotRunError`
 * that says what to do, if the file is unreadable or leaves the daemon open.
 */
export async function checkDaemonHar(options: CheckDaemonHarOptions): Promise<VerifyReport> {
  const { file, names, onFinding, onExchange } = options;
  const recorded = await readHar(file);
  const route = createCallRouter(names);
  const origins = new Set(
    recorded.flatMap(({ origin, exchange: { request } }) =>
      route(request.method, request.target).kind === "rpc" ? origin : [],
    ),
  );
  const address = options.url === undefined ? onlyOrigin(origins, file) : originOf(options.url);
  const judge = await createDaemonTrafficJudge({ ...options, address });
  for (const { origin, exchange } of recorded) {
    if (origin !== address) continue;
    onExchange?.(exchange);
    for (const check of await judge.observe(exchange)) onFinding?.(check);
  }
  return judge.report();
}

function onlyOrigin(origins: ReadonlySet<string>, file: string): string {
  const [origin] = origins;
  if (origin !== undefined && origins.size === 1) return origin;
  throw new CouldNotRunError(
    origin === undefined
      ? `The recording ${file} has no call to an RPC of the contract. Record the calls of a client of the daemon; if its package differs, give --package`
      : `The recording ${file} has calls to several daemons: ${[...origins].slice(0, 5).join(", ")}. Choose one with --url`,
  );
}

function originOf(url: string): string {
  const parsed = parseUrl(url);
  if (parsed === undefined)
    throw new CouldNotRunError(`${url.slice(0, 200)} is not a URL of a daemon, such as http://127.0.0.1:4020`);
  return parsed.origin;
}
