import { parseJson } from "../../../parse-json.js";
import type { Check } from "../../check.js";
import { CouldNotRunError } from "../../could-not-run-error.js";
import type { Mask } from "../../excerpt.js";
import { type HarExchange, readHar } from "../../traffic/har/read-har.js";
import type { RecordedExchange } from "../../traffic/traffic.js";
import type { VerifyReport } from "../../verify-report.js";
import { serverBaseUrl } from "../server/server-urls.js";
import { apiPrefix } from "./decode-exchange.js";
import { createTrafficJudge, type TrafficOptions } from "./judge-traffic.js";

/** The recording to check, and how. */
export interface CheckHarOptions extends Omit<TrafficOptions, "level" | "target"> {
  readonly file: string;
  /** The URL of the server's API in the recording. Optional if the recording calls only one. */
  readonly url?: string;
  /** The feature level whose contract applies. Defaults to the level in a recorded response with the server settings. */
  readonly level?: number;
  /** Called with each finding when it occurs for the first time. */
  readonly onFinding?: (check: Check) => void;
  /** Called with each exchange and a mask of its secrets, before it is judged. */
  readonly onExchange?: (exchange: RecordedExchange, mask: Mask) => void;
}

/**
 * Judges the traffic of a chat client that a browser, a proxy or another tool recorded as HAR 1.2. Rejects with a `CouldNotRunError` that
 * says what to do, if the file is unreadable or leaves the server or its level open.
 */
export async function checkHar(options: CheckHarOptions): Promise<VerifyReport> {
  const { file, onFinding, onExchange } = options;
  const recorded = await readHar(file);
  const url = options.url ?? findApi(recorded, file);
  const base = new URL(serverBaseUrl(url));
  const exchanges = recorded.filter(({ origin }) => origin === base.origin).map(({ exchange }) => exchange);
  const level = options.level ?? findLevel(exchanges, file);
  const judge = await createTrafficJudge({ ...options, level, target: url });
  for (const exchange of exchanges) {
    onExchange?.(exchange, judge.masks.maskOf(exchange));
    for (const check of await judge.observe(exchange)) onFinding?.(check);
  }
  return judge.report();
}

/** The URL of the API that all calls of a recording go to. */
function findApi(recorded: readonly HarExchange[], file: string): string {
  const urls = new Set(
    recorded.flatMap(({ origin, exchange }) => {
      // A target with credentials is a whole URL.
      const [path = ""] = exchange.request.target.replace(/^https?:\/\/[^/?#]*/i, "").split("?", 1);
      const index = path.indexOf(`${apiPrefix}/`);
      return index < 0 ? [] : `${origin}${path.slice(0, index)}${apiPrefix}`;
    }),
  );
  const [url] = urls;
  if (url !== undefined && urls.size === 1) return url;
  throw new CouldNotRunError(
    url === undefined
      ? `The recording ${file} has no call to a path with ${apiPrefix}/. Record the calls of a chat client, or give --url; for a recording of a daemon's client, give --contract daemon`
      : `The recording ${file} has calls to several servers: ${[...urls].slice(0, 5).join(", ")}. Choose one with --url`,
  );
}

/** The feature level in the first response that has the server settings. Source: requirements, "Versioning". */
function findLevel(exchanges: readonly RecordedExchange[], file: string): number {
  for (const { response } of exchanges) {
    if (response?.status !== 200 || response.body === undefined) continue;
    const answer = parseJson(Buffer.from(response.body).toString("utf8"));
    if (typeof answer !== "object" || answer === null || !("service_feature_level" in answer)) continue;
    const level = answer.service_feature_level;
    if (typeof level === "number" && Number.isInteger(level) && level >= 0) return level;
  }
  throw new CouldNotRunError(
    `The recording ${file} has no server settings that state the feature level. Record GET ${apiPrefix}/server_settings too, or give --feature-level`,
  );
}
