import type { VerifyReport } from "../report/model/verify-report.js";
import type { RecordedExchange } from "../traffic/recorded/recorded-exchange.js";
import { type CheckRestHarOptions, checkRestHar } from "../traffic/rest/check-rest-har.js";
import { type ProxyRestOptions, proxyRest, type RestProxy } from "../traffic/rest/proxy-rest.js";
import { type ExchangeJudgement, type JudgeExchangeOptions, judgeRestExchange } from "../traffic/rest/rest-traffic.js";
import { chatContract } from "./contract.js";

/** The chat server behind the proxy, and how to judge the traffic. */
export type ProxyChatOptions = ProxyRestOptions;

/** A running proxy. */
export type ChatProxy = RestProxy;

/** The recording to check, and how. */
export type CheckHarOptions = CheckRestHarOptions;

/** Starts a proxy in front of a chat server. Rejects like `proxyRest`. */
export async function proxyChat(options: ProxyChatOptions): Promise<ChatProxy> {
  return proxyRest(await chatContract(), options);
}

/** Judges the traffic of a chat client that a tool recorded as HAR 1.2. Rejects like `checkRestHar`. */
export async function checkHar(options: CheckHarOptions): Promise<VerifyReport> {
  return checkRestHar(await chatContract(), options);
}

/**
 * Judges one exchange by the contract of a feature level, without the rules that need several exchanges. `basePath` is the part before
 * `/api/v1` in the path.
 */
export async function judgeExchange(
  exchange: RecordedExchange,
  options: JudgeExchangeOptions,
): Promise<ExchangeJudgement> {
  return judgeRestExchange(await chatContract(), exchange, options);
}
