import type { Caller, Guess } from "../check.js";
import { plainCaller } from "./conventions.js";
import {
  type CaseNotes,
  type ContractDocument,
  type GivenState,
  type ParameterObject,
  type ResponseObject,
  resolve,
  type Schema,
} from "./document.js";
import { listOperations, parameterSchema, parametersOf } from "./operations.js";
import { bodyValues, requestBodyOf } from "./request-body.js";
import type { Rule } from "./rule.js";
import { listRules, statusRecommendation } from "./rules.js";

/** A decoded request and its expected response. */
export interface Case {
  readonly operationId: string;
  /** Unique within the operation. */
  readonly name: string;
  readonly summary: string;
  /** The rule that the case checks. */
  readonly rule: string;
  /** Other rules that the same call checks. */
  readonly also: readonly string[];
  /** Whether it is a plain example: a server that does not know its values may refuse it. */
  readonly isExample?: boolean;
  /** The parameters of an example, for which there may be better values. */
  readonly guesses?: Readonly<Record<string, Guess>>;
  /** The recommendations that the case relies on. Defaults to none. */
  readonly reliesOn?: readonly string[];
  /** The caller. `nobody` sends no credentials, `stranger` unknown ones. */
  readonly as: Caller;
  /** The provider states to set up first, in order. */
  readonly given: readonly Required<GivenState>[];
  /** Maps request parameters to values that the states return. */
  readonly bind: Readonly<Record<string, unknown>>;
  /** JSON pointers to the values of the body that the contract fixes. */
  readonly exact: readonly string[];
  /** The reason why the contract fixes neither status nor code of the error. */
  readonly open?: string;
  /** The rule that recommends the status of the error, so that another one is only a deviation. */
  readonly recommendedBy?: string;
  readonly request: CaseRequest;
  readonly response: CaseResponse;
}

/** The parameters of a case by location. */
export interface CaseRequest {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  /** Undefined if the case sends no body. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The response of a case. */
export interface CaseResponse {
  readonly status: number;
  /** Undefined if the response has no body. */
  readonly mediaType?: string;
  readonly body?: unknown;
}

/**
 * Lists the cases of the contract, in the order of its operations and their examples.
 *
 * A case is a response example with `x-case`; its request consists of the parameter and body examples of the same name.
 */
export function listCases(document: ContractDocument): Case[] {
  const rules = listRules(document);
  const plain = plainCaller(document);
  return listOperations(document).flatMap(({ operation }) => {
    const parameters = parametersOf(document, operation);
    const form = requestBodyOf(document, operation);
    const bodies = Object.assign(
      {},
      ...Object.values(operation.requestBody?.content ?? {}).map(({ examples }) => examples ?? {}),
    );
    return Object.entries(operation.responses).flatMap(([status, given]) => {
      const response = resolve<ResponseObject>(document, given);
      return Object.entries(response.content ?? {}).flatMap(([mediaType, { examples = {} }]) =>
        Object.entries(examples).flatMap(([name, { summary = name, value, "x-case": notes }]) => {
          if (notes === undefined) return [];
          const body = bodies[name] ?? (isShared(given) ? Object.values<{ value: unknown }>(bodies)[0] : undefined);
          const request = {
            path: parametersIn(document, parameters, "path", name),
            query: parametersIn(document, parameters, "query", name),
            header: {
              ...parametersIn(document, parameters, "header", name),
              ...parametersIn(document, parameters, "cookie", name),
            },
            ...(body === undefined || form === undefined ? {} : { body: bodyValues(form, body.value) }),
          };
          const shown = value === undefined ? {} : { mediaType, body: value };
          const wanted = { status: Number(status), ...shown };
          return [withStatusRule(toCase(operation.operationId, name, summary, notes, request, wanted, plain), rules)];
        }),
      );
    });
  });
}

function toCase(
  operationId: string,
  name: string,
  summary: string,
  notes: CaseNotes,
  request: CaseRequest,
  response: CaseResponse,
  plain: string,
): Case {
  const given = notes.given.map((state) => ({
    params: {},
    rename: {},
    ...(typeof state === "string" ? { state } : state),
  }));
  const { rule, also = [], "relies-on": reliesOn, as = plain, bind = {}, exact = [], open } = notes;
  return {
    operationId,
    name,
    summary,
    rule,
    also,
    reliesOn,
    as,
    given,
    bind,
    exact,
    open,
    request,
    response,
  };
}

function withStatusRule(testCase: Case, rules: readonly Rule[]): Case {
  const { rule, also, open, response } = testCase;
  if (response.status < 400 || open !== undefined) return testCase;
  const recommendedBy = statusRecommendation(rules, [rule, ...also]);
  return recommendedBy === undefined ? testCase : { ...testCase, recommendedBy };
}

/** Whether a response is shared. The cases of shared responses have no request examples of their own. */
function isShared(response: object): boolean {
  return "$ref" in response;
}

/** The parameters of a case: the example of that name, or else the default example of a required parameter. */
function parametersIn(
  document: ContractDocument,
  parameters: readonly ParameterObject[],
  location: ParameterObject["in"],
  name: string,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const parameter of parameters) {
    if (parameter.in !== location) continue;
    const examples = { ...Object.values(parameter.content ?? {})[0]?.examples, ...parameter.examples };
    const example = examples[name];
    if (example !== undefined) values[parameter.name] = example.value;
    else if (parameter.required) {
      const schema = resolve<Schema>(document, parameterSchema(parameter));
      values[parameter.name] = parameter.example ?? schema.examples?.[0] ?? Object.values(examples)[0]?.value;
    }
  }
  return values;
}
