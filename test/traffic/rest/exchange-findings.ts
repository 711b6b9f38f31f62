import { newestLevel } from "../../../generated/chat/request-levels.js";
import { judgeExchange } from "../../../src/chat/traffic.js";
import { type ExchangeSketch, recordedExchange } from "./recorded-exchange.js";

/** A mistake of a client: a name, the exchange, the finding, and a part of its sentence. */
export type PlantedRequest = [name: string, sketch: ExchangeSketch, finding: string, sentence: RegExp, level?: number];

/** Responses of common calls. */
export const success = { result: "success", msg: "" };
export const removed = { ...success, removed: [], not_removed: [] };
export const edited = { ...success, detached_uploads: [] };
export const messages = {
  ...success,
  found_newest: true,
  found_oldest: true,
  found_anchor: false,
  messages: [],
  anchor: 1,
};
/** The parameters of a range of messages. */
export const range = "num_before=5&num_after=0";

/** The findings about an exchange: strength, rule and subject of each. */
export async function namesOf(sketch: ExchangeSketch, level = newestLevel): Promise<string[]> {
  const { findings } = await judgeExchange(recordedExchange(sketch), { level });
  return findings.map(({ rule, subject, strength }) => `${strength} ${rule} ${subject}`);
}

/** The problems of the findings about an exchange. */
export async function problemsOf(sketch: ExchangeSketch, level = newestLevel): Promise<string[]> {
  const { findings } = await judgeExchange(recordedExchange(sketch), { level });
  return findings.map(({ problem }) => problem);
}
