import { type Case, listCases } from "../../../src/contract/rest/cases.js";
import { conventionsOf } from "../../../src/contract/rest/conventions.js";
import {
  type ContractDocument,
  type OperationObject,
  type ParameterObject,
  resolve,
  type Schema,
} from "../../../src/contract/rest/document.js";
import { withoutUnusedComponents } from "../../../src/contract/rest/level/without-unused-components.js";
import { mapNodes } from "../../../src/contract/rest/map-nodes.js";
import { listOperations, parameterSchema, parametersOf } from "../../../src/contract/rest/operations.js";
import type { Rule } from "../../../src/contract/rest/rule.js";
import { listRules } from "../../../src/contract/rest/rules.js";
import type { RpcCases } from "../../../src/contract/rpc/cases.js";
import { daemonMethods } from "../../../src/daemon/daemon-methods.js";
import type { CaseData, FieldData, OperationData, RpcData } from "../../components/console/console-data.js";

/** The data files of the consoles, by their path in the site. */
export function consoleFiles(contract: ContractDocument, daemon: RpcCases): [path: string, content: string][] {
  const rules = new Map(listRules(contract).map((rule) => [rule.id, rule]));
  const cases = listCases(contract).map((one) => toCaseData(one, rules.get(one.rule)));
  return [
    ...listOperations(contract).map(({ operation }): [string, string] => {
      const ofOperation = cases.filter(({ operationId }) => operationId === operation.operationId);
      return [
        `public/console/${operation.operationId}.json`,
        JSON.stringify(toOperationData(contract, operation, ofOperation)),
      ];
    }),
    ...daemonMethods.map(({ rpc, method }): [string, string] => [
      `public/console/${method.name}.json`,
      JSON.stringify({
        rpc,
        path: `/${method.parent.typeName}/${method.name}`,
        cases: daemon.cases
          .filter((one) => one.rpc === rpc)
          .map(({ name, summary, request }) => ({ name, summary, request })),
      } satisfies RpcData),
    ]),
  ];
}

function toOperationData(
  contract: ContractDocument,
  operation: OperationObject,
  cases: readonly CaseData[],
): OperationData {
  return {
    operationId: operation.operationId,
    fields: fieldsOf(contract, operation),
    cases,
    contract: responsesOf(contract, operation),
  };
}

function toCaseData(
  { operationId, name, summary, as, given, bind, request, response: { status } }: Case,
  { since, until }: Pick<Rule, "since" | "until"> = {},
): CaseData {
  return {
    ...{ operationId, name, summary, as, given, bind, request, response: { status } },
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

function fieldsOf(contract: ContractDocument, operation: OperationObject): Record<string, FieldData> {
  const parameters = parametersOf(contract, operation).map((one): [string, Schema, boolean] => [
    one.name,
    parameterSchema(one),
    (one as ParameterObject).deprecated === true,
  ]);
  const fields = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.entries(resolve<Schema>(contract, schema).properties ?? {}).map(([name, one]): [string, Schema, boolean] => [
      name,
      one,
      one.deprecated === true,
    ]),
  );
  return Object.fromEntries(
    [...parameters, ...fields].map(([name, schema, deprecated]) => {
      const { enum: choices } = resolve<Schema>(contract, schema);
      return [
        name,
        { ...(choices === undefined ? {} : { choices }), ...(deprecated ? { deprecated: true as const } : {}) },
      ];
    }),
  );
}

/** Keywords without an effect on validation. Some of them may also be the name of a property, whose value is never a string. */
const samples = new Set(["example", "examples"]);
const texts = new Set(["description", "summary", "note"]);

/** The contract reduced to the responses of one operation, and to the schemas of all error codes. */
function responsesOf(contract: ContractDocument, { operationId }: OperationObject): ContractDocument {
  const listed = listOperations(contract).filter(({ operation }) => operation.operationId === operationId);
  const paths = Object.fromEntries(
    listed.map(({ path, method, operation: { responses, "x-feature": feature, "x-feature-level": levels } }) => [
      path,
      { [method]: { operationId, responses, "x-feature": feature, "x-feature-level": levels } },
    ]),
  );
  const { openapi, components } = contract;
  const { schemas, responses = {} } = components;
  const isAboutCode = ({ properties }: Schema) => properties?.code?.const !== undefined;
  const kept = Object.keys(schemas).filter((name) => name === "OtherError" || isAboutCode(schemas[name] ?? {}));
  const reduced = {
    openapi,
    paths,
    components: { schemas, responses },
    // Errors are judged by the schema of their code, so the schemas of all codes are kept.
    "x-kept": kept.map((name) => ({ $ref: `#/components/schemas/${name}` })),
  };
  const { "x-kept": _, ...small } = withoutUnusedComponents(withoutProse(reduced));
  return { ...(small as unknown as ContractDocument), "x-accord": conventionsOf(contract) };
}

/** Copies a document without descriptions and examples. */
function withoutProse<T extends object>(document: T): T {
  return mapNodes(document, (node) =>
    Object.fromEntries(
      Object.entries(node).filter(
        ([key, value]) => !samples.has(key) && !(texts.has(key) && typeof value === "string"),
      ),
    ),
  ) as T;
}
