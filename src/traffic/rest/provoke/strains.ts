import { randomUUID } from "node:crypto";
import { parseJson } from "../../../base/parse-json.js";
import { alternativesOf } from "../../../contract/rest/alternatives.js";
import { conventionsOf } from "../../../contract/rest/conventions.js";
import { type ContractDocument, type ResponseObject, resolve, type Schema } from "../../../contract/rest/document.js";
import { listOperations } from "../../../contract/rest/operations.js";
import type { Strain } from "../../../contract/rest/rule.js";
import type { ResponseValidators } from "../../../contract/rest/validator.js";

/**
 * The changes to responses by which a proxy finds out what a client cannot tolerate. A conforming server may make each
 * of them.
 */
export const strains = {
  "unknown-fields": "Objects have a field that the contract does not know.",
  "unknown-codes": "An error has a code that the contract does not know.",
  "missing-fields": "Fields that a server may omit are missing.",
  "null-values": "Fields that may be null are null.",
  "large-ids": "Integers that a request may also name by a word are above 2^53.",
  "no-level": "The server states no feature level.",
  "older-level": "The server states an older feature level.",
  "rate-limit": "The request is refused with status 429 and Retry-After.",
  "slow-answers": "The response takes several seconds.",
} as const satisfies Readonly<Record<Strain, string>>;

/** The name of a strain. */
export type StrainName = keyof typeof strains;

/** The context of a change to a response. */
export interface StrainContext {
  readonly contract: ContractDocument;
  readonly validators: ResponseValidators;
  readonly operationId: string;
  readonly status: number;
  /** The level that the settings then state. */
  readonly olderLevel: number;
  /** Whether a parameter of the operation is an integer or a text: for a text, the response has an integer that the server chose. */
  readonly mayBeText: (name: string) => boolean;
}

/** A text that no contract has as a code or the name of a field. */
const unknownName = "strain_unknown";
/** An integer that no double holds. */
const largeId = "10000000000000001";

/** The field of a response that states the level of the server. Empty if the contract has no levels. */
function levelFieldOf(contract: ContractDocument): string {
  return conventionsOf(contract).level?.at.slice(1) ?? "";
}

/**
 * Changes the body of a response, as `parseExactly` read it, and returns it as JSON. Undefined if the strain does not apply, or if the
 * contract forbids the result.
 */
export function applyStrain(name: StrainName, body: object, context: StrainContext): string | undefined {
  const { [context.status]: ofStatus, default: ofErrors } = context.validators[context.operationId] ?? {};
  const validate = ofStatus ?? (context.status >= 400 ? ofErrors : undefined);
  // Some objects allow no further fields.
  const changes = [changeBody(name, body, context), name === "unknown-fields" ? withUnknownField(body) : undefined];
  return changes
    .filter((changed) => changed !== undefined)
    .map(writeExactly)
    .find((text) => validate?.(JSON.parse(text)) === true);
}

function changeBody(name: StrainName, body: object, context: StrainContext): object | undefined {
  const { status, contract, operationId, olderLevel, mayBeText } = context;
  const isSuccess = status < 300;
  const levelField = levelFieldOf(contract);
  const codeField = conventionsOf(contract).error?.code?.slice(1) ?? "code";
  switch (name) {
    case "unknown-fields":
      return withUnknownFields(body) as object;
    case "unknown-codes":
      return status >= 400 && codeField in body ? { ...body, [codeField]: unknownName.toUpperCase() } : undefined;
    case "missing-fields":
    case "null-values": {
      const schema = schemaOf(contract, operationId, status);
      if (schema === undefined) return undefined;
      const changed =
        name === "null-values" ? withNulls(contract, schema, body) : withoutOptional(contract, schema, body);
      return JSON.stringify(changed) === JSON.stringify(body) ? undefined : (changed as object);
    }
    case "large-ids": {
      const integers = Object.keys(body).filter((field) => isSuccess && mayBeText(field));
      if (integers.length === 0) return undefined;
      return { ...body, ...Object.fromEntries(integers.map((field) => [field, exactInteger(largeId)])) };
    }
    case "no-level": {
      if (!isSuccess || !(levelField in body)) return undefined;
      const { [levelField]: _, ...rest } = body as Record<string, unknown>;
      return rest;
    }
    case "older-level":
      return isSuccess && levelField in body ? { ...body, [levelField]: olderLevel } : undefined;
    case "rate-limit":
    case "slow-answers":
      return undefined;
  }
}

function withUnknownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownFields);
  if (typeof value !== "object" || value === null) return value;
  return withUnknownField(
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withUnknownFields(inner)])),
  );
}

function withUnknownField(value: object): object {
  return { ...value, [unknownName]: { nested: [1, null] } };
}

function schemaOf(contract: ContractDocument, operationId: string, status: number): Schema | undefined {
  const responses = listOperations(contract).find(({ operation }) => operation.operationId === operationId)?.operation
    .responses;
  const given = responses?.[status];
  if (given === undefined) return undefined;
  return Object.values(resolve<ResponseObject>(contract, given).content ?? {})[0]?.schema;
}

/** Returns `changed` with the feature level of the server settings `settings`, if they state one. */
export function withLevelOf(contract: ContractDocument, settings: object, changed: object): object {
  const levelField = levelFieldOf(contract);
  return levelField in settings ? { ...changed, [levelField]: Reflect.get(settings, levelField) } : changed;
}

/** Whether the success of an operation states the feature level of the server. */
export function statesLevel(contract: ContractDocument, operationId: string): boolean {
  const schema = schemaOf(contract, operationId, 200);
  return schema !== undefined && levelFieldOf(contract) in (resolve<Schema>(contract, schema).properties ?? {});
}

/** Replaces every value that may be null. */
function withNulls(contract: ContractDocument, given: Schema, value: unknown): unknown {
  return mapProperties(contract, given, value, (schema, inner) => (allowsNull(contract, schema) ? null : inner));
}

/** Removes every property that the schema does not require. */
function withoutOptional(contract: ContractDocument, given: Schema, value: unknown): unknown {
  return mapProperties(contract, given, value, (_, inner, isRequired) => (isRequired ? inner : undefined));
}

/** Maps the known properties of objects at every depth. A property that becomes undefined is removed. */
function mapProperties(
  contract: ContractDocument,
  given: Schema,
  value: unknown,
  change: (schema: Schema, value: unknown, isRequired: boolean) => unknown,
): unknown {
  const schema = resolve<Schema>(contract, given);
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => mapProperties(contract, items, item, change));
  }
  // The alternatives of a schema need not agree on what is required.
  if (typeof value !== "object" || value === null || schema.properties === undefined) return value;
  const { properties, required = [] } = schema;
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const property = properties[key];
    if (property === undefined || typeof property.const === "string") return [[key, inner]];
    const changed = change(property, mapProperties(contract, property, inner, change), required.includes(key));
    return changed === undefined ? [] : [[key, changed]];
  });
  return Object.fromEntries(entries);
}

function allowsNull(contract: ContractDocument, given: Schema): boolean {
  return alternativesOf(contract, given).some(({ type }) => [type].flat().includes("null"));
}

/** The prefix of strings that represent integers which a double might not hold exactly. No server can guess it. */
const mark = `integer ${randomUUID()} `;

/** Parses JSON so that `writeExactly` writes its integers digit by digit. Undefined if the text is not JSON. */
export function parseExactly(text: string): unknown {
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') ? token : JSON.stringify(exactInteger(token)),
  );
  return parseJson(marked);
}

/** A value that `writeExactly` writes as an integer with these digits. */
export function exactInteger(digits: string): string {
  return `${mark}${digits}`;
}

/** Writes a value as JSON. */
export function writeExactly(value: unknown): string {
  return JSON.stringify(value).replaceAll(new RegExp(`"${mark}(-?\\d+)"`, "g"), "$1");
}
