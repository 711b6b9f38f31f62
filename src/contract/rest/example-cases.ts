import type { Guess } from "../check.js";
import { alternativesOf } from "./alternatives.js";
import type { Case } from "./cases.js";
import { plainCaller } from "./conventions.js";
import {
  type ContractDocument,
  type MediaTypeObject,
  type OperationObject,
  type ParameterObject,
  resolve,
  type Schema,
} from "./document.js";
import { impliedRules } from "./implied-rules.js";
import { listOperations, parameterSchema, parametersOf } from "./operations.js";
import { type BodyField, bodyValues, type RequestBody, requestBodyOf } from "./request-body.js";
import { isJson } from "./response-schemas.js";
import { fitsSample, sampleValue, styledSchema } from "./sample.js";
import { isTooLargeToSample } from "./sample-bound.js";
import { unwritableRequest } from "./unjudged.js";

/**
 * Lists one case for each example request of an operation that is written in the plain OpenAPI way, or one with made-up values if there is
 * none. They expect a success, whatever is in it, because nothing says what the server has. Operations with written cases have none.
 */
export function exampleCases(document: ContractDocument, written: readonly Case[]): Case[] {
  const known = new Set(written.map(({ operationId }) => operationId));
  return listOperations(document).flatMap(({ operation }) => {
    if (known.has(operation.operationId)) return [];
    const success = successOf(document, operation);
    if (success === undefined) return [];
    const parameters = parametersOf(document, operation);
    const names = exampleNames(parameters, operation);
    return (names.length === 0 ? ["example"] : names).flatMap((name): Case[] => {
      const made = requestOf(document, operation, parameters, name);
      if (made === undefined) return [];
      const { request, guesses } = made;
      const { response: rule, statuses, failures } = impliedRules(operation.operationId);
      return [
        {
          ...{ operationId: operation.operationId, name, summary: operation.summary, rule, also: [statuses, failures] },
          ...{
            as: plainCaller(document),
            given: [],
            bind: {},
            exact: [],
            isExample: true,
            guesses,
            request,
            response: success,
          },
        },
      ];
    });
  });
}

/** The first documented success, or else the first redirect. */
function successOf(document: ContractDocument, { responses }: OperationObject): Case["response"] | undefined {
  const [first] = Object.keys(responses)
    .filter((key) => /^[23]\d\d$/.test(key))
    .sort();
  const status = first?.startsWith("3") && "2XX" in responses ? undefined : first;
  if (status === undefined && !("2XX" in responses || "default" in responses)) return undefined;
  const response = resolve<{ content?: object }>(document, responses[status ?? "2XX"] ?? responses.default ?? {});
  const types = Object.keys(response.content ?? {});
  const mediaType = types.find(isJson) ?? types[0];
  return { status: Number(status ?? 200), mediaType };
}

/** The names of the named examples of requests. */
function exampleNames(parameters: readonly ParameterObject[], { requestBody }: OperationObject): string[] {
  const holders = [...parameters, ...Object.values(requestBody?.content ?? {})];
  return [...new Set(holders.flatMap(({ examples }) => Object.keys(examples ?? {})))];
}

/** The first request of an operation that its document describes, with made-up values where it names none. Undefined if one cannot be made. */
export function exampleRequest(
  document: ContractDocument,
  operation: OperationObject,
): Required<Pick<Case, "request" | "guesses">> | undefined {
  const known = madeRequests.get(operation);
  if (known !== undefined) return known.made;
  const parameters = parametersOf(document, operation);
  const made = requestOf(document, operation, parameters, exampleNames(parameters, operation)[0] ?? "example");
  madeRequests.set(operation, { made });
  return made;
}

/** Many derived workflows send the same request. An operation belongs to one document. */
const madeRequests = new WeakMap<OperationObject, { readonly made: ReturnType<typeof exampleRequest> }>();

function requestOf(
  document: ContractDocument,
  operation: OperationObject,
  parameters: readonly ParameterObject[],
  name: string,
): Required<Pick<Case, "request" | "guesses">> | undefined {
  const request: { path: Values; query: Values; header: Values; body?: Values } = { path: {}, query: {}, header: {} };
  const guesses: Record<string, Guess> = {};
  for (const parameter of parameters) {
    const isRequired = parameter.required === true || parameter.in === "path";
    const where = `${operation.operationId}, ${parameter.name}`;
    const schema = parameterSchema(parameter);
    const written = parameter.content === undefined ? styledSchema(document, schema) : schema;
    const found = exampleOf(document, parameter, schema, { name, isRequired, where, written });
    if (found?.value === undefined && isRequired) return undefined;
    if (found?.value === undefined) continue;
    request[parameter.in === "cookie" ? "header" : parameter.in][parameter.name] = found.value;
    guesses[parameter.name] = found;
  }
  const body = requestBodyOf(document, operation);
  const media = body && operation.requestBody?.content[body.mediaType];
  if (body === undefined || media === undefined) return { request, guesses };
  // A body that cannot be written is never sent, and a request without a required one shows nothing.
  if (unwritableRequest(document, operation) !== undefined) return body.isRequired ? undefined : { request, guesses };
  const schema = media.schema ?? {};
  const isForm = body.form === "form" || body.form === "multipart";
  const named = body.fields.flatMap(({ field, isRequired }) => (isRequired && field !== undefined ? field : []));
  const written = isForm ? styledSchema(document, schema, named) : schema;
  const about = { name, isRequired: body.isRequired, where: `${operation.operationId}, the body`, written };
  const found = exampleOf(document, media, schema, about)?.value;
  const value = found === undefined && body.isRequired ? {} : found;
  if (found === undefined && body.isRequired && !fitsSample(document, schema, {}, "request")) return undefined;
  return { request: value === undefined ? request : { ...request, body: withFiles(body, value) }, guesses };
}

type Values = Record<string, unknown>;

interface About {
  readonly name: string;
  readonly isRequired: boolean;
  readonly where: string;
  /** The schema of values that a request can show. */
  readonly written: Schema;
}

/** The example of that name, or else the only one, or else a made-up value if one is required. */
function exampleOf(
  document: ContractDocument,
  {
    example,
    examples = {},
    content,
  }: { example?: unknown; examples?: ParameterObject["examples"]; content?: Record<string, MediaTypeObject> },
  schema: Schema,
  { name, isRequired, where, written }: About,
): Guess | undefined {
  const [media] = Object.values(content ?? {});
  const all = { ...media?.examples, ...examples };
  if (all[name] !== undefined) return { value: all[name].value, isMadeUp: false };
  // A value may be null.
  const only = example === undefined ? media?.example : example;
  if (only !== undefined) return { value: only, isMadeUp: false };
  if (!isRequired) return undefined;
  const [first] = Object.values(all);
  if (first?.value !== undefined) return { value: first.value, isMadeUp: false };
  const value = sampleOf(document, written, where) ?? sampleOf(document, schema, where);
  return { value, isMadeUp: !namesValues(document, schema) };
}

/** Whether a schema says which values there are. */
export function namesValues(document: ContractDocument, schema: Schema): boolean {
  const named = ["const", "enum", "default", "example", "examples"];
  return alternativesOf(document, schema).some(
    (one) => one.type === "boolean" || named.some((keyword) => one[keyword] !== undefined),
  );
}

/** A made-up value. Undefined if none is found, or it would be too large. */
export function sampleOf(document: ContractDocument, schema: Schema, where: string): unknown {
  if (isTooLargeToSample(document, schema, where)) return undefined;
  return sampleValue(document, schema, "request") ?? undefined;
}

/** Describes the files of a body, for which examples have text. */
function withFiles({ form, mediaType, fields }: RequestBody, value: unknown): Readonly<Record<string, unknown>> {
  const values = bodyValues({ fields }, value);
  const isFile = ({ schema }: BodyField) =>
    schema.format === "binary" || (form === "raw" && !/^text\//i.test(mediaType));
  const files = fields.filter((field) => form !== "json" && field.name in values && isFile(field));
  const described = files.map(({ name }) => [name, { name: "example", text: String(values[name]) }]);
  return { ...values, ...Object.fromEntries(described) };
}
