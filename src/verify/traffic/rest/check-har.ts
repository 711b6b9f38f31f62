import { serverBaseUrl } from "../../../chat/verify.js";
import { parseJson } from "../../../parse-json.js";
import { CouldNotRunError } from "../../could-not-run-error.js";
import type { VerifyReport } from "../../model/verify-report.js";
import { type CheckOptions, checkRecording, type RecordedServer } from "../check-recording.js";
import type { RecordedExchange } from "../traffic.js";
import { createChatTraffic } from "./chat-traffic.js";
import { apiPrefix } from "./decode-exchange.js";

/** The recording to check, and how. */
export interface CheckHarOptions extends CheckOptions {
  /** The feature level whose contract applies. Defaults to the level in a recorded response with the server settings. */
  readonly level?: number;
}

/**
 * Judges the traffic of a chat client that a browser, a proxy or another tool recorded as HAR 1.2. Rejects with a `CouldNotRunError` that
 * says what to do, if the file is unreadable or leaves the server or its level open.
 */
export function checkHar(options: CheckHarOptions): Promise<VerifyReport> {
  return checkRecording(options, server, (url, exchanges) =>
    createChatTraffic(options.level ?? findLevel(exchanges, options.file), url),
  );
}

const server: RecordedServer = {
  urlOf: ({ origin, exchange }) => {
    // A target with credentials is a whole URL.
    const [path = ""] = exchange.request.target.replace(/^https?:\/\/[^/?#]*/i, "").split("?", 1);
    const index = path.indexOf(`${apiPrefix}/`);
    return index < 0 ? undefined : `${origin}${path.slice(0, index)}${apiPrefix}`;
  },
  parse: serverBaseUrl,
  missing: `has no call to a path with ${apiPrefix}/. Record the calls of a chat client, or give --url; for a recording of a daemon's client, give --contract daemon`,
};

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
