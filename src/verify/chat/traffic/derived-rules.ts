import { type ResponseObject, resolve, type Schema } from "../../../contract/chat/document.js";
import type { Rule } from "../../../contract/chat/rule.js";
import type { Finding } from "../../traffic/traffic.js";
import type { ReadExchange } from "./decode-exchange.js";
import type { OperationAtLevel, OperationsAtLevel } from "./operations-at-level.js";

/** The kinds of derived checks whose rules a single exchange can show. */
const kinds = ["ignored-parameters", "missing-parameter", "no-credentials", "nothing-else"] as const;

type Kind = (typeof kinds)[number];

/** The judgement on an exchange by the rules of servers. */
export interface DerivedJudgement {
  readonly findings: readonly Finding[];
  readonly shown: readonly string[];
}

/** Lists the rules of servers that a single exchange can show. */
export function listDerivedRules({ operations }: OperationsAtLevel): Rule[] {
  const rules = [...operations.values()].flatMap((operation) =>
    operation.rules.filter((rule) => kindOf(rule) !== undefined),
  );
  return [...new Map(rules.map((rule) => [rule.id, rule])).values()];
}

function kindOf({ "shown-by": shownBy }: Rule): Kind | undefined {
  return kinds.find((kind) => kind === shownBy?.kind);
}

/** Judges an exchange by the rules that the contract marks as shown by a derived check, as far as one exchange shows them. */
export function judgeDerivedRules(exchange: ReadExchange, contract: OperationsAtLevel): DerivedJudgement {
  const { destination, recorded } = exchange;
  if (destination.kind !== "operation" || recorded.response === undefined) return { findings: [], shown: [] };
  const { operation } = destination;
  const findings: Finding[] = [];
  const shown: string[] = [];
  for (const rule of operation.rules) {
    const kind = kindOf(rule);
    const problem = kind === undefined ? undefined : judgeRule(kind, rule, { exchange, operation, contract });
    if (problem === undefined) continue;
    shown.push(rule.id);
    if (problem === "kept") continue;
    const { id, strength = "must" } = rule;
    findings.push({ party: "server", rule: id, strength, problem });
  }
  return { findings, shown };
}

interface Judged {
  readonly exchange: ReadExchange;
  readonly operation: OperationAtLevel;
  readonly contract: OperationsAtLevel;
}

/** Returns the problem, or "kept". Undefined if the exchange does not show the rule. */
function judgeRule(kind: Kind, rule: Rule, { exchange, operation, contract }: Judged): string | undefined {
  const { answer, unsupported, recorded, body } = exchange;
  const status = recorded.response?.status ?? 0;
  const isSuccess = status >= 200 && status < 300;
  if (typeof answer !== "object" || answer === null) return undefined;
  switch (kind) {
    case "ignored-parameters": {
      if (!isSuccess || unsupported.length === 0) return undefined;
      const listed: unknown = Reflect.get(answer, "ignored_parameters_unsupported");
      const missing = unsupported.filter((name) => !Array.isArray(listed) || !listed.includes(name));
      return missing.length === 0
        ? "kept"
        : `ignored_parameters_unsupported does not list ${missing.join(", ").slice(0, 200)}`;
    }
    case "missing-parameter": {
      const name = rule["shown-by"]?.kind === "missing-parameter" ? rule["shown-by"].parameter : "";
      const isRequired = operation.parameters.some((one) => one.name === name && one.required);
      const isSent = name in exchange.parameters || exchange.malformed.some((one) => one.name === name);
      if (!isRequired || isSent || body.kind !== "fields" || (!isSuccess && status !== 400)) return undefined;
      return isSuccess ? `the server accepted a request without ${name}` : "kept";
    }
    case "no-credentials": {
      const { headers } = recorded.request;
      const hasNone = headers.authorization === undefined && headers.cookie === undefined && recorded.redacted !== true;
      if (!operation.needsLogin || !hasNone) return undefined;
      if (isSuccess) return "the server accepted a request without credentials";
      return Reflect.get(answer, "code") === "UNAUTHORIZED" ? "kept" : undefined;
    }
    case "nothing-else": {
      const known = isSuccess ? successFields(operation, contract, status) : undefined;
      if (known === undefined || known.some((name) => !envelope.includes(name))) return undefined;
      const others = Object.keys(answer).filter((name) => !known.includes(name));
      return others.length === 0 ? "kept" : `the response has further fields: ${others.join(", ").slice(0, 200)}`;
    }
  }
}

/** The fields that every success may have. */
const envelope: readonly string[] = ["result", "msg", "ignored_parameters_unsupported"];

function successFields(
  operation: OperationAtLevel,
  { contract }: OperationsAtLevel,
  status: number,
): string[] | undefined {
  const given = operation.responses[status];
  if (given === undefined) return undefined;
  const [media] = Object.values(resolve<ResponseObject>(contract, given).content ?? {});
  return media === undefined ? undefined : Object.keys(resolve<Schema>(contract, media.schema).properties ?? {});
}
