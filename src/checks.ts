// The entry for checks in code of any contract (`accord-contracts/checks`).
export type { CallForm } from "./contract/check.js";
export type { RpcCase } from "./contract/rpc/cases.js";
export type { RpcContract } from "./contract/rpc/contract.js";
export { secretsOfUrl, type UrlPart, type UrlSecret } from "./judge/url-secrets.js";
export { createSecretFinder } from "./secrets/find-secrets.js";
export {
  type CaseRun,
  type CheckedHost,
  type CheckedLog,
  type CheckedRpcServer,
  defineRpcCheck,
  defineRpcTrafficJudge,
  type JudgedByCode,
  type RpcCodeCheck,
  type RpcExchange,
  type RpcTrafficJudge,
  type RunCaseOptions,
  type SeenCall,
} from "./verify/rpc/define-rpc-check.js";
export type { Surface } from "./verify/rpc/readable-texts.js";
export {
  type CheckedServer,
  type CodeCheck,
  defineCheck,
  type HttpExchange,
  type RawRequest,
  type Verdicts,
} from "./verify/run/define-check.js";
