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
export type { Check, CheckKind, CheckOutcome, Exchange, Need } from "./check.js";
export { CouldNotRunError } from "./could-not-run-error.js";
export type { Coverage, CoverageItem, CoverageSection, Provoked } from "./coverage.js";
export type { SelectionOptions, Shard } from "./create-selection.js";
export { formatKnownFailing, KnownFailingError, parseKnownFailing, readKnownFailing } from "./known-failing.js";
export { mergeReports, type ShardReport } from "./merge-reports.js";
export { exitCode } from "./report/exit-code.js";
export { formatCtrf } from "./report/format-ctrf.js";
export { type AnyReport, formatJson, type ReportModel, toJsonReport } from "./report/format-json.js";
export { formatJunit } from "./report/format-junit.js";
export { formatMarkdown } from "./report/format-markdown.js";
export { formatSummary, type SummaryOptions } from "./report/format-summary.js";
export { fromJsonReport } from "./report/from-json-report.js";
export { formatHtml } from "./report/html/format-html.js";
export {
  type ExitCode,
  type JsonCheck,
  type JsonNeed,
  type JsonOperation,
  type JsonReport,
  type JsonRule,
  jsonReportSchema,
  type RunVerdict,
} from "./report/json-report.js";
export type { StaleEntry } from "./report/judge-rules.js";
export { readJsonReport } from "./report/read-json-report.js";
export type { Verdict } from "./report/verdict.js";
export { type Account, type Accounts, readAccounts } from "./rest/accounts.js";
export type { RunOptions } from "./run-options.js";
export type { ForwarderLimits } from "./traffic/forward/forwarder-limits.js";
export type { Finding } from "./traffic/judge/finding.js";
export type { RecordedExchange, RecordedMessage } from "./traffic/recorded/recorded-exchange.js";
export type { ExchangeJudgement } from "./traffic/rest/judge-exchange.js";
export { type CheckDaemonHarOptions, checkDaemonHar } from "./traffic/rpc/check-har.js";
export { type DaemonProxy, type ProxyDaemonOptions, proxyDaemon } from "./traffic/rpc/proxy-daemon.js";
export type {
  ReportedBeyond,
  ReportedOperation,
  ReportedRule,
  ReportedShard,
  RuleState,
  VerifyReport,
} from "./verify-report.js";
