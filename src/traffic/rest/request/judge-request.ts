import { nearestNames } from "../../../contract/nearest-names.js";
import type { Mask } from "../../../judge/excerpt.js";
import type { TrafficJudgement } from "../../judge/finding.js";
import type { ReadExchange } from "../exchange/decode-exchange.js";
import type { OperationAtLevel, OperationsAtLevel } from "../exchange/operations-at-level.js";
import { judgeCredentials, judgeCredentialsInUrl, judgeEncoding, judgeMediaType } from "./judge-message.js";
import { judgeBody, judgeNames, judgeRequired, judgeValues } from "./judge-parameters.js";
import { createJudgedRequest, describeOtherLevel, type JudgedRequest, requestRules } from "./judged-request.js";

/** Judges the request of an exchange by the contract of the server's level. Quoted values are masked. */
export function judgeRequest(exchange: ReadExchange, contract: OperationsAtLevel, mask: Mask): TrafficJudgement {
  const judged = createJudgedRequest(exchange, contract, mask);
  const { destination } = exchange;
  switch (destination.kind) {
    case "operation":
      judged.show("operation", "level", "credentialsInUrl");
      judgeCredentialsInUrl(judged, destination.operation);
      judgeEncoding(judged);
      judgeOperation(judged, destination.operation);
      break;
    case "other-level": {
      const { operationId } = destination;
      judged.show("level");
      judgeCredentialsInUrl(judged, undefined);
      const problem = describeOtherLevel(operationId, contract.all.levels.get(operationId), contract.level);
      judged.find("level", operationId, problem);
      break;
    }
    case "unknown":
      judgeUnknown(judged, destination.allow, mask);
      judgeCredentialsInUrl(judged, undefined);
      break;
    case "outside":
      judgeOutside(judged);
      break;
    case "protocol":
      break;
  }
  return judged.judgement();
}

function judgeOperation(judged: JudgedRequest, operation: OperationAtLevel): void {
  if (operation.deprecated) {
    judged.show("deprecated");
    judged.find("deprecated", operation.operationId, `${operation.method} ${operation.path} is deprecated`);
  }
  judgeCredentials(judged, operation);
  judgeMediaType(judged, operation);
  judgeNames(judged, operation);
  judgeRequired(judged, operation);
  judgeValues(judged, operation);
  if (!judged.judgement().findings.some(({ rule }) => valueRules.has(rule))) judgeBody(judged, operation);
}

/** The rules that say what is wrong with a member of a body. */
const valueRules: ReadonlySet<string | undefined> = new Set(
  [requestRules.required, requestRules.type, requestRules.value, requestRules.mediaType].map(({ id }) => id),
);

/** A server may have operations that the contract lacks, so only those that it refuses count as mistakes. */
function judgeUnknown(judged: JudgedRequest, allow: readonly string[], mask: Mask): void {
  const { exchange, contract, find, show } = judged;
  const { method, path } = exchange;
  if (method === "OPTIONS" || !isNotFound(exchange)) return;
  if (contract.contract["x-other-operations"]?.includes(`${method} ${path}`)) return;
  show("operation");
  judgeEncoding(judged);
  const called = mask(`${method} ${path}`);
  if (allow.length > 0) {
    return void find("operation", called, `${called} is not an operation; this path has ${allow.join(" and ")}`);
  }
  const nearest = nearestOperation(judged);
  const hint = nearest === undefined ? "" : `; the nearest is ${nearest}`;
  const status = exchange.recorded.response?.status;
  find("operation", called, `${called} is not an operation of the contract, and the server answers ${status}${hint}`);
}

/** The operation with the most similar path, of the same method if several have it. Ids count as equal. */
function nearestOperation({ exchange, contract }: JudgedRequest): string | undefined {
  const operations = [...contract.operations.values()];
  const shapeOf = (path: string) => path.replace(/\{[^{}]+\}|(?<=\/)\d+(?=\/|$)/g, "*");
  const [nearest] = nearestNames(
    shapeOf(exchange.path),
    operations.map(({ path }) => shapeOf(path)),
  );
  const found = operations.filter(({ path }) => shapeOf(path) === nearest);
  const { method, path } = found.find((one) => one.method === exchange.method) ?? found[0] ?? {};
  return path === undefined ? undefined : `${method} ${path}`;
}

/** Finds requests to an operation without the prefix of the API, or with another one. */
function judgeOutside({ exchange, contract, find, show }: JudgedRequest): void {
  const { method, path, prefix } = exchange;
  if (!isNotFound(exchange)) return;
  const { apiPath, route } = contract.all;
  // The usual prefixes of APIs.
  const rest = path.replace(/^(?:\/(?:api|json|rest|v\d+)(?=\/)){0,2}/, "").replace(apiPath, "");
  if (route(method, rest).kind !== "found") return;
  show("operation");
  find("operation", `${method} ${path}`, `${method} ${path} is outside the API, whose paths begin with ${prefix}`);
}

function isNotFound({ recorded }: ReadExchange): boolean {
  return recorded.response?.status === 404 || recorded.response?.status === 405;
}
