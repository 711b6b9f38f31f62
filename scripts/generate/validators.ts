import { _ as code } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import formats from "ajv-formats";
import { type ContractDocument, resolve, type Schema } from "../../src/contract/rest/document.js";
import { listOperations, parameterSchema, parametersOf } from "../../src/contract/rest/operations.js";
import { listResponseSchemas, sharedSchemas, withSharedRefs } from "../../src/contract/rest/response-schemas.js";
import { createAjv } from "../../src/schema/create-ajv.js";
import { bundleValidators } from "./bundle-validators.js";

/**
 * The code of the validators: for each operation one for the decoded parameters in one flat object, and one for each
 * response status (and `default`). It imports no package.
 */
export async function validatorsModule(document: ContractDocument): Promise<string> {
  const ajv = createAjv({
    strict: false,
    // Redocly has checked the schemas.
    meta: false,
    validateSchema: false,
    // Schemas that are used often are compiled only once.
    inlineRefs: false,
    code: { source: true, formats: code`require("ajv-formats/dist/formats").fullFormats` },
  });
  formats.default(ajv);
  ajv.addSchema(sharedSchemas(document));
  const bodies = listResponseSchemas(document);
  const names: Record<string, string> = {};
  const requests: string[] = [];
  const responses: string[] = [];
  for (const { operation } of listOperations(document)) {
    const { operationId } = operation;
    const add = (name: string, schema: Schema) => {
      ajv.addSchema(schema, name);
      names[name] = name;
      return name;
    };
    requests.push(
      `${operationId}: v.${add(`${operationId}_request`, withSharedRefs(requestSchema(document, operation)) as Schema)}`,
    );
    const byStatus = bodies
      .filter((body) => body.operationId === operationId)
      .map(({ status, schema }) => `"${status}": v.${add(`${operationId}_${status}`, schema)}`);
    responses.push(`${operationId}: {${byStatus.join(", ")}}`);
  }
  const source = standalone.default(ajv, names);
  const entry = `import * as v from "validators";
export const requestValidators = {${requests.join(", ")}};
export const responseValidators = {${responses.join(", ")}};`;
  return bundleValidators(source, entry);
}

/** The type declarations for `validatorsModule`. */
export function validatorsTypes(document: ContractDocument): string {
  const ids = listOperations(document).map(({ operation }) => JSON.stringify(operation.operationId));
  return `// Written by \`npm run generate\`. Not to be edited.
/** A problem and its place. */
export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
  readonly message?: string;
}
/** Whether a value is valid. The problems are in \`errors\` until the next call. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly ValidationError[] | null;
}
type OperationId = ${ids.join(" | ")};
/** Check the decoded parameters of a request, all in one flat object. Those that are required are in \`requestLevels\`. */
export declare const requestValidators: Readonly<Record<OperationId, Validator>>;
/** Check the body of a response, by status; \`default\` is for every status that is not listed. */
export declare const responseValidators: Readonly<Record<OperationId, Readonly<Record<string, Validator>>>>;
`;
}

/**
 * The path, query and body parameters as one object. Unknown parameters are always valid. Required ones are not listed,
 * because they depend on the level.
 */
function requestSchema(document: ContractDocument, operation: Parameters<typeof parametersOf>[1]): Schema {
  const parameters = parametersOf(document, operation).filter((parameter) => parameter.in !== "header");
  const bodies = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) =>
    resolve<Schema>(document, schema),
  );
  const { anyOf, oneOf, not, dependentRequired } = bodies[0] ?? {};
  return {
    ...JSON.parse(JSON.stringify({ anyOf, oneOf, not, dependentRequired })),
    type: "object",
    properties: Object.assign(
      Object.fromEntries(parameters.map((parameter) => [parameter.name, parameterSchema(parameter)])),
      ...bodies.map(({ properties }) => properties),
    ),
  };
}
