// The entry for checks in code of any contract (`accord-contracts/checks`).
export { parseUrl } from "./base/parse-url.js";
export type { CallForm } from "./contract/check.js";
export type { RpcCase } from "./contract/rpc/cases.js";
export type { RpcContract } from "./contract/rpc/contract.js";
export type { Surface } from "./judge/rpc/readable-texts.js";
export { secretsOfUrl, type UrlPart, type UrlSecret } from "./judge/url-secrets.js";
export { createSecretFinder } from "./secrets/find-secrets.js";
export {
  defineRpcTrafficJudge,
  type JudgedByCode,
  type RpcTrafficJudge,
  type SeenCall,
} from "./traffic/rpc/define-traffic-judge.js";
export {
  type CaseRun,
  type CheckedHost,
  type CheckedLog,
  type CheckedRpcServer,
  defineRpcCheck,
  type RpcCodeCheck,
  type RpcExchange,
  type RunCaseOptions,
} from "./verify/rpc/define-rpc-check.js";
export {
  type CheckedServer,
  type CodeCheck,
  defineCheck,
  type HttpExchange,
  type RawRequest,
  type Verdicts,
} from "./verify/run/define-check.js";
