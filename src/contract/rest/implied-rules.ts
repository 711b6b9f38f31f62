import type { ContractDocument, OperationObject } from "./document.js";
import type { Rule } from "./rule.js";
import { listAllRules } from "./rules.js";
import { loginOf } from "./security.js";
import { unjudgedSuccess, unwritableRequest } from "./unjudged.js";

/** The ids of the rules that an operation has without anybody writing one. */
export interface ImpliedRules {
  /** Every answer is one that the document describes. */
  readonly response: string;
  /** Refusals have a status that the document lists. OpenAPI does not require it to list all, hence a recommendation. */
  readonly statuses: string;
  /** No answer is a failure of the server, not even a documented one. */
  readonly failures: string;
  /** Requests that their own schemas forbid are refused. OpenAPI does not say so, hence a recommendation. */
  readonly request: string;
  /** Requests without valid credentials are refused. */
  readonly credentials: string;
}

/** Returns the ids of the implied rules of an operation. */
export function impliedRules(operationId: string): ImpliedRules {
  return {
    response: `${operationId}.response`,
    statuses: `${operationId}.statuses`,
    failures: `${operationId}.no-server-error`,
    request: `${operationId}.request`,
    credentials: `${operationId}.credentials`,
  };
}

/** Adds the implied rules to each operation, but for those whose ids are taken. */
export function withImpliedRules(document: ContractDocument): ContractDocument {
  const taken = new Set(listAllRules(document).map(({ id }) => id));
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]) => {
      const implied = rulesOf(document, operation).filter(({ id }) => !taken.has(id));
      return [method, { ...operation, "x-rules": [...(operation["x-rules"] ?? []), ...implied] }];
    });
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

function rulesOf(document: ContractDocument, operation: OperationObject): Rule[] {
  const { response, statuses, failures, request, credentials } = impliedRules(operation.operationId);
  const source = "OpenAPI document";
  const login: Rule = { id: credentials, text: "Refuses requests without valid credentials.", source };
  const untestable = unwritableRequest(document, operation) ?? unjudgedSuccess(document, operation);
  return [
    {
      ...{ id: response, text: "Answers as documented: status, media type, headers and schema.", source },
      untestable,
    },
    {
      id: statuses,
      strength: "should",
      text: "Refuses requests with a documented status.",
      gap: "Which further statuses refusals have, because a document need not list all",
    },
    {
      id: failures,
      strength: "should",
      text: "Does not fail with a status from 500.",
      source: "RFC 9110, section 15.6",
      gap: "Whether a documented failure of the server is right",
    },
    {
      id: request,
      strength: "should",
      text: "Refuses requests that their own schemas forbid.",
      gap: "What a server does with requests that the document forbids",
    },
    ...(loginOf(document, operation).isRequired ? [login] : []),
  ];
}
