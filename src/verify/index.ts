export {
  type ChatProxy,
  type CheckHarOptions,
  checkHar,
  judgeExchange,
  type ProxyChatOptions,
  proxyChat,
} from "../chat/traffic.js";
export { type VerifyChatOptions, verifyChat } from "../chat/verify.js";
export type { DaemonProtocol } from "../daemon/create-daemon-client.js";
export { type VerifyDaemonOptions, verifyDaemon } from "../daemon/verify.js";
export { createSecret, type Secret } from "../secrets/secret.js";
export { CouldNotRunError } from "./could-not-run-error.js";
export type { SelectionOptions, Shard } from "./create-selection.js";
export { formatKnownFailing, KnownFailingError, parseKnownFailing, readKnownFailing } from "./known-failing.js";
export { mergeReports, type ShardReport } from "./merge-reports.js";
export type { CheckKind, CheckOutcome, CheckResult, Exchange, Need } from "./model/check-result.js";
export type { Coverage, CoverageItem, CoverageSection, Provoked } from "./model/coverage.js";
export type { ReportedBeyond, ReportedShard, StaleEntry } from "./model/json-report.js";
export {
  type ExitCode,
  type JsonCheck,
  type JsonNeed,
  type JsonOperation,
  type JsonReport,
  type JsonRule,
  jsonReportSchema,
  type RunVerdict,
} from "./model/json-report.js";
export { type AnyReport, exitCode, formatJson, type ReportModel, toJsonReport } from "./model/to-json-report.js";
export type { RuleState, Verdict } from "./model/verdict.js";
export type { ReportedOperation, ReportedRule, VerifyReport } from "./model/verify-report.js";
export { fromJsonReport, readJsonReport } from "./read-json-report.js";
export { formatCtrf } from "./report/format-ctrf.js";
export { formatJunit } from "./report/format-junit.js";
export { formatMarkdown } from "./report/format-markdown.js";
export { formatSummary, type SummaryOptions } from "./report/format-summary.js";
export { formatHtml } from "./report/html/format-html.js";
export { type Account, type Accounts, readAccounts } from "./rest/accounts.js";
export type { RunOptions } from "./run-options.js";
export type { ForwarderLimits } from "./traffic/forward/forwarder-limits.js";
export type { Finding } from "./traffic/judge/finding.js";
export type { RecordedExchange, RecordedMessage } from "./traffic/recorded/recorded-exchange.js";
export type { ExchangeJudgement } from "./traffic/rest/judge-exchange.js";
export { type CheckDaemonHarOptions, checkDaemonHar } from "./traffic/rpc/check-har.js";
export { type DaemonProxy, type ProxyDaemonOptions, proxyDaemon } from "./traffic/rpc/proxy-daemon.js";
