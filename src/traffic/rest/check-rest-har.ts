import { CouldNotRunError } from "../../base/could-not-run-error.js";
import { parseBoundedJson } from "../../base/parse-json.js";
import { requireInteger } from "../../base/require-integer.js";
import { valueAt } from "../../contract/json-pointer.js";
import { basePath } from "../../contract/rest/base-path.js";
import { conventionsOf, type LevelConvention } from "../../contract/rest/conventions.js";
import { listOperations } from "../../contract/rest/operations.js";
import type { RestContract } from "../../contract/rest/rest-contract.js";
import { apiUrl } from "../../http/api-url.js";
import type { VerifyReport } from "../../report/model/verify-report.js";
import { type CheckOptions, checkRecording, type RecordedServer } from "../har/check-recording.js";
import type { RecordedExchange } from "../recorded/recorded-exchange.js";
import { atLevel, createRestTraffic } from "./rest-traffic.js";

/** The recording to check, and how. */
export interface CheckRestHarOptions extends CheckOptions {
  /** The feature level whose contract applies. Defaults to the level in a recorded response with the server settings. */
  readonly level?: number;
}

/**
 * Judges the traffic of a client that a browser, a proxy or another tool recorded as HAR 1.2. Rejects with a `CouldNotRunError` that says
 * what to do, if the file is unreadable or leaves the server or its level open.
 */
export function checkRestHar(source: RestContract, options: CheckRestHarOptions): Promise<VerifyReport> {
  const { name, document, newestLevel } = source;
  if (options.level !== undefined) requireInteger("level", options.level, 0, newestLevel);
  const path = basePath(document);
  const { level: convention } = conventionsOf(document);
  const server: RecordedServer = {
    urlOf: ({ origin, exchange }) => {
      // A target with credentials is a whole URL.
      const [called = ""] = exchange.request.target.replace(/^https?:\/\/[^/?#]*/i, "").split("?", 1);
      const index = called.indexOf(`${path}/`);
      return index < 0 ? undefined : `${origin}${called.slice(0, index)}${path}`;
    },
    parse: (url) => apiUrl(url, { name, path }),
    missing: `has no call to a path with ${path}/. Record the calls of a ${name} client, or give --url; for a recording of another contract, name it, as in: accord check CONTRACT FILE.har`,
  };
  return checkRecording(options, server, async (url, exchanges) => {
    const level = options.level ?? (convention === undefined ? 0 : findLevel(exchanges, convention));
    if (level !== undefined) return createRestTraffic(source, atLevel(source, level), url);
    const settings = listOperations(document).find(({ operation }) => operation.operationId === convention?.call);
    throw new CouldNotRunError(
      `The recording ${options.file} has no server settings that state the feature level. Record GET ${path}${settings?.path} too, or give --feature-level`,
    );
  });
}

/** The feature level in the first response that states one. */
function findLevel(exchanges: readonly RecordedExchange[], { at }: LevelConvention): number | undefined {
  for (const { response } of exchanges) {
    if (response?.status !== 200 || response.body === undefined) continue;
    const level = valueAt(parseBoundedJson(Buffer.from(response.body).toString("utf8")), at);
    if (typeof level === "number" && Number.isInteger(level) && level >= 0) return level;
  }
  return undefined;
}
