// The entry for checks in code of any contract (`accord-contracts/checks`).
export {
  type CheckedServer,
  type CodeCheck,
  defineCheck,
  type HttpExchange,
  type RawRequest,
} from "./verify/run/define-check.js";
