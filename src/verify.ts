export { CouldNotRunError } from "./base/could-not-run-error.js";
export {
  type ChatProxy,
  type CheckHarOptions,
  checkHar,
  judgeExchange,
  type ProxyChatOptions,
  proxyChat,
} from "./chat/traffic.js";
export type { DaemonProtocol } from "./daemon/create-daemon-client.js";
export {
  type CheckDaemonHarOptions,
  checkDaemonHar,
  type DaemonProxy,
  type ProxyDaemonOptions,
  proxyDaemon,
} from "./daemon/traffic.js";
export { formatCtrf } from "./report/format-ctrf.js";
export { formatJunit } from "./report/format-junit.js";
export { formatMarkdown } from "./report/format-markdown.js";
export { formatSummary, type SummaryOptions } from "./report/format-summary.js";
export { formatHtml } from "./report/html/format-html.js";
export type {
  CheckKind,
  CheckOutcome,
  CheckResult,
  Need,
  ReportedExchange as Exchange,
} from "./report/model/check-result.js";
export type { Coverage, CoverageItem, CoverageSection, Provoked } from "./report/model/coverage.js";
export type { Degree } from "./report/model/degree.js";
export type { ReportedBeyond, ReportedShard, StaleEntry } from "./report/model/json-report.js";
export {
  type ExitCode,
  type JsonCheck,
  type JsonNeed,
  type JsonOperation,
  type JsonReport,
  type JsonRule,
  jsonReportSchema,
  type RunVerdict,
} from "./report/model/json-report.js";
export { type AnyReport, exitCode, formatJson, type ReportModel, toJsonReport } from "./report/model/to-json-report.js";
export type { RuleState, Verdict } from "./report/model/verdict.js";
export type { ReportedOperation, ReportedRule, VerifyReport } from "./report/model/verify-report.js";
export { fromJsonReport, readJsonReport } from "./report/read-json-report.js";
export { createSecret, type Secret } from "./secrets/secret.js";
export type { ForwarderLimits } from "./traffic/forward/server-side.js";
export type { TrafficFinding as Finding } from "./traffic/judge/finding.js";
export type { RecordedExchange, RecordedMessage } from "./traffic/recorded/recorded-exchange.js";
export type { ExchangeJudgement } from "./traffic/rest/rest-traffic.js";
export type { SelectionOptions, Shard } from "./verify/create-selection.js";
export { formatKnownFailing, KnownFailingError, parseKnownFailing, readKnownFailing } from "./verify/known-failing.js";
export { type Account, type Accounts, readAccounts } from "./verify/rest/accounts.js";
export { mergeReports, type ShardReport } from "./verify/rest/merge-reports.js";
export type { RunOptions } from "./verify/run-options.js";
export { createRenewedToken, type RenewedToken } from "./verify/token-command.js";
export {
  type Contract,
  type ContractKind,
  chat,
  contractOf,
  daemon,
  type VerifyOptions,
  verify,
} from "./verify-contract.js";
export type { ClientCertificate } from "./wire/client-certificate.js";
