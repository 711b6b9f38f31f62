import { pointerKeys, valueAt } from "../contract/json-pointer.js";
import type { Case } from "../contract/rest/cases.js";
import {
  type ContractDocument,
  type OperationObject,
  type ResponseObject,
  resolve,
  type Schema,
} from "../contract/rest/document.js";
import { toDraft07 } from "./json-schema-draft-07.js";
import type { ExpectedMessage } from "./transaction.js";

/**
 * Returns the response that the contract expects for a case, in the form that Dredd compares: the status, the media type, and a draft-07
 * JSON Schema for the operation, the status, the code of an error and the values that the case fixes. `document` is the contract as of the
 * server's level.
 */
export function expectedResponse(
  document: ContractDocument,
  operation: OperationObject,
  { response: { status, mediaType, body }, open, exact }: Case,
): ExpectedMessage {
  const schema = responseSchema(document, operation, open === undefined ? status : undefined);
  const isError = open === undefined && status >= 400;
  const parts = [
    isError ? narrowToCode(document, schema, valueAt(body, "/code")) : schema,
    ...exact.map((pointer) => fixValue(body, pointerKeys(pointer))),
  ];
  return {
    statusCode: String(status),
    headers: mediaType === undefined ? {} : { "Content-Type": mediaType },
    ...(body === undefined ? {} : { bodySchema: JSON.stringify(toDraft07(document, { allOf: parts })) }),
  };
}

/** Returns the schema of the responses with a status, or else of any error. */
function responseSchema(
  document: ContractDocument,
  { responses }: OperationObject,
  status: number | undefined,
): Schema {
  const given = (status === undefined ? undefined : responses[status]) ?? responses.default;
  const response = given && resolve<ResponseObject>(document, given);
  return response?.content?.["application/json"]?.schema ?? {};
}

/** Narrows an error schema to the alternative for a code, or else to those for unlisted codes. */
function narrowToCode(document: ContractDocument, schema: Schema, code: unknown): Schema {
  const all = alternatives(document, schema);
  const own = all.filter(({ properties }) => properties?.code?.const === code);
  const chosen = own.length > 0 ? own : all.filter(({ properties }) => properties?.code?.const === undefined);
  return { allOf: [{ anyOf: chosen }, { required: ["code"], properties: { code: { const: code } } }] };
}

function alternatives(document: ContractDocument, schema: Schema): Schema[] {
  const resolved = resolve<Schema>(document, schema);
  const parts = resolved.anyOf ?? resolved.oneOf;
  return parts === undefined ? [resolved] : parts.flatMap((part) => alternatives(document, part));
}

/** Returns a schema for values that have, at the place to which `keys` lead, the same value as `given`. */
function fixValue(given: unknown, [key, ...rest]: readonly string[]): Schema {
  if (key === undefined) return { const: given };
  const inner = fixValue((given as Readonly<Record<string, unknown>>)[key], rest);
  if (!Array.isArray(given)) return { type: "object", required: [key], properties: { [key]: inner } };
  const before = Array.from({ length: Number(key) }, () => ({}));
  return { type: "array", minItems: before.length + 1, prefixItems: [...before, inner] };
}
