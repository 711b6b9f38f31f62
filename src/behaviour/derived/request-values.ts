import { literals } from "../../contract/expressions.js";
import type { Matcher } from "../../contract/matcher.js";
import type { ContractDocument, OperationObject, Schema } from "../../contract/rest/document.js";
import { exampleRequest, namesValues, sampleOf } from "../../contract/rest/example-cases.js";
import { requestBodyOf } from "../../contract/rest/request-body.js";
import type { Described } from "../../contract/rest/resources/shapes.js";
import { escapeKey, membersOf, plainSchema, plainType } from "../../contract/rest/resources/shapes.js";
import { typicalText } from "../../contract/rest/typical-text.js";

/** A value that is sent, and what must come back where a response has it. */
export interface SentValue {
  /** The name of the parameter. */
  readonly name: string;
  /** The name in the body. */
  readonly field: string;
  readonly schema: Schema;
  readonly matcher: Matcher;
}

/** The request that makes or changes a thing. */
export interface RequestValues {
  readonly with: Readonly<Record<string, unknown>>;
  /** The values of its body that must come back. */
  readonly sent: readonly SentValue[];
  /** The one of these that no other request sends. Undefined if every value is given. */
  readonly own?: SentValue;
}

/** What a request is to hold. */
export interface Wanted {
  /** Whether it also has the optional members of the body. */
  readonly isFull?: boolean;
  /** Whether it has only the required members of the body, whatever the example of the document has. */
  readonly isLean?: boolean;
  /** What follows the own word in the own text. */
  readonly suffix?: string;
  /** The member of the read thing that identifies it, which only the server chooses. */
  readonly except?: string;
  /** The member that identifies it, which only the request chooses. */
  readonly identity?: string;
}

/** Names of texts that nothing else refers to, the best first. */
const freeNames = ["title", "name", "subject", "comment", "description", "text", "content", "note", "label", "summary"];
const takenOnce = /^(?:user_?name|login|slug|handle|e?_?mail|email_?address)$/i;

/**
 * Makes the request of an operation: the example of its document, or else the required members with values that the document names, or else
 * all whose values it names. One text begins with a word of its own.
 */
export function requestValues(
  document: ContractDocument,
  operation: OperationObject,
  read: Described | undefined,
  { isFull = false, isLean = false, suffix = "", except, identity }: Wanted = {},
): RequestValues | undefined {
  const made = exampleRequest(document, operation);
  const body = requestBodyOf(document, operation);
  if (made === undefined) return undefined;
  const { path, query, header, body: example = {} } = made.request;
  const outer = literals({ ...path, ...query, ...header });
  if (body === undefined || body.fields.some(({ field }) => field === undefined) || body.form === "multipart")
    return { with: { ...outer, ...literals(example) }, sent: [] };
  const hasExample = Object.keys(exampleOf(operation)).length > 0;
  const isRequired = body.fields.some((field) => field.isRequired);
  const isSilent = body.fields.every(({ name, schema }) => name === except || !isNamed(document, schema));
  const chosen = body.fields.filter(({ name, schema, isRequired: must }) => {
    if (must || name === identity || (hasExample && name in example && !isLean)) return true;
    if (schema.deprecated === true || schema.readOnly === true || name === except) return false;
    if (isLean && isRequired) return false;
    if (isFull || isRequired || hasExample) return isFull;
    return freeNames.includes(name) || isNamed(document, schema) || (isSilent && typical(name, schema) !== undefined);
  });
  const free = chosen.filter(
    ({ name, schema }) => isFree(document, name, schema, hint(name)) && !isSecret(name, schema),
  );
  const own =
    freeNames.flatMap((name) => free.find((one) => one.field === name) ?? [])[0] ??
    free.find(({ field = "" }) => freeNames.some((name) => field.toLowerCase().includes(name))) ??
    free[0];
  function hint(name: string): Schema | undefined {
    return plainSchema(document, read?.shape.properties[name]);
  }
  const values: Record<string, unknown> = {};
  const sent: SentValue[] = [];
  for (const one of chosen) {
    const { name, field = name, schema } = one;
    const given = hasExample ? example[name] : undefined;
    const isOwn = one === own || (takenOnce.test(name) && plainType(document, schema) === "string");
    const value = isOwn
      ? ownText(
          String(given ?? named(document, schema) ?? typical(name, schema) ?? ""),
          schema,
          suffix,
          given === undefined,
        )
      : literals(given ?? madeValue(document, name, schema, hint(name)));
    if (value === undefined && one.isRequired) return undefined;
    if (value === undefined) continue;
    values[name] = value;
    const matcher = matcherOf(value);
    if (matcher !== undefined && isKept(document, field, schema, hint(field)))
      sent.push({ name, field, schema, matcher });
  }
  const kept = sent.find(({ name }) => name === own?.name);
  return { with: { ...outer, ...values }, sent, own: kept };
}

function exampleOf({ requestBody }: OperationObject): object {
  const [media] = Object.values(requestBody?.content ?? {});
  const [first] = Object.values(media?.examples ?? {});
  return Object(media?.example ?? first?.value ?? {});
}

/** A text that begins with a word of its own: lower case and ASCII, so that what a server may normalize stays as it is. */
function ownText(known: string, schema: Schema, suffix: string, isFormed: boolean): string {
  if (schema.format === "email" || /^user@/.test(known)) return "{$unique.word}@example.com";
  // What a description names may have a form that nothing else states, such as a final dot.
  const rest = `${suffix}${known === "" || (suffix !== "" && !isFormed) ? "" : `-${known}`}`;
  const bound = Number(schema.maxLength ?? 200) - 8;
  return `{$unique.word}${rest.length > bound ? "" : rest.replace(/[{}$]/g, "")}`;
}

/** Whether a text may be any, so that one of its own is as good. */
function isFree(document: ContractDocument, name: string, given: Schema, hint: Schema | undefined): boolean {
  const schema = plainSchema(document, given);
  if (typical(name, given) !== undefined && !takenOnce.test(name)) return false;
  if (plainType(document, schema) !== "string" || Number(schema?.maxLength ?? 99) < 8) return false;
  const bounds = ["enum", "const", "pattern", "format", "contentEncoding", "contentMediaType"];
  return [schema ?? {}, hint ?? {}].every((one) => bounds.every((keyword) => one[keyword] === undefined));
}

function isSecret(name: string, { format, writeOnly }: Schema): boolean {
  return writeOnly === true || format === "password" || /password|secret|token|passphrase|(?:^|_)key$/i.test(name);
}

function isNamed(document: ContractDocument, schema: Schema): boolean {
  return named(document, schema) !== undefined || (schema.type !== "boolean" && namesValues(document, schema));
}

/** The text that a description gives as an example, or lists first. */
function named(document: ContractDocument, given: Schema): string | undefined {
  const schema = plainSchema(document, given);
  if (plainType(document, schema) !== "string") return undefined;
  const [, text] = /\b(?:e\.g\.|one of:?),? ?[“"'`]([^”"'`\s]{1,80})[”"'`]/.exec(given.description ?? "") ?? [];
  return text;
}

/** The text that a name or description suggests, where nothing says more. */
function typical(name: string, { description, format, pattern, enum: values }: Schema): string | undefined {
  const isSaid = freeNames.includes(name) || [format, pattern, values].some((one) => one !== undefined);
  return isSaid ? undefined : typicalText(name, description);
}

/** A value that the document names, also in what is read, or else one that is made up. */
export function madeValue(document: ContractDocument, name: string, schema: Schema, hint: Schema | undefined): unknown {
  const described = named(document, schema);
  if (described !== undefined && !namesValues(document, schema)) return described;
  const [type, suggested] = [plainType(document, schema), typical(name, schema)];
  if (suggested !== undefined && type === "string" && !namesValues(document, schema)) return suggested;
  if (
    !namesValues(document, schema) &&
    hint?.enum !== undefined &&
    plainType(document, hint) === plainType(document, schema)
  )
    return hint.enum[0];
  if (plainSchema(document, schema)?.format === "date-time")
    return /end|until|expire|due|finish|stop|close/i.test(name) ? "2099-01-01T00:00:00Z" : "2031-01-01T00:00:00Z";
  const { minimum, maximum, exclusiveMinimum, multipleOf } = plainSchema(document, schema) ?? {};
  const isBound = [minimum, maximum, exclusiveMinimum, multipleOf].some((bound) => bound !== undefined);
  // A sample would be 0, which is also what many servers have where nothing was sent.
  if (plainType(document, schema) === "integer" && !isBound && !namesValues(document, schema)) return 7;
  const list = plainType(document, schema) === "array" ? plainSchema(document, schema) : undefined;
  // An empty list is what many servers have where nothing was sent, too.
  if (list !== undefined && list.maxItems !== 0 && !namesValues(document, schema))
    return suggested !== undefined && isOneText(document, list)
      ? [suggested]
      : sampleOf(document, { ...list, minItems: Math.max(Number(list.minItems ?? 0), 1) }, name);
  return sampleOf(document, schema, name);
}

/** Whether a list may have one text of any form. */
function isOneText(document: ContractDocument, { items, minItems = 0 }: Schema): boolean {
  const { type, format, pattern, enum: values } = plainSchema(document, items) ?? {};
  return type === "string" && [format, pattern, values].every((one) => one === undefined) && Number(minItems) < 2;
}

/** What must come back for a value. Undefined for one that a server may write in another way. */
function matcherOf(value: unknown): Matcher | undefined {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isInteger(value) ? value : undefined;
  const isPlain = Array.isArray(value) && value.length < 2 && value.every((one) => typeof one === "string");
  return isPlain ? { equals: value } : undefined;
}

/** Whether what is read has the same member, as the server got it. */
function isKept(document: ContractDocument, field: string, given: Schema, hint: Schema | undefined): boolean {
  const schema = plainSchema(document, given);
  if (hint === undefined || schema === undefined || isSecret(field, given)) return false;
  // What has a form may be written in another one.
  if (typical(field, given) !== undefined && !takenOnce.test(field)) return false;
  const isRewritten = ["uri", "url", "date-time", "date", "time", "duration", "byte", "binary", "uri-reference", "iri"];
  return (
    plainType(document, schema) === plainType(document, hint) &&
    ![schema, hint].some(({ format = "" }) => isRewritten.includes(format))
  );
}

/** What a thing must hold of what was sent, by JSON pointers. */
export function expectedIn(
  document: ContractDocument,
  { sent }: Pick<RequestValues, "sent">,
  thing: Described | undefined,
): Record<string, Matcher> {
  const properties = thing?.shape.properties ?? {};
  const kept = sent.filter(({ field, schema }) => {
    const inner = plainSchema(document, properties[field]);
    return inner !== undefined && plainType(document, inner) === plainType(document, schema);
  });
  return Object.fromEntries(kept.map(({ field, matcher }) => [`${thing?.at}/${escapeKey(field)}`, matcher]));
}

/** Whether a schema lists a member as always there. */
export function hasMember(document: ContractDocument, schema: Schema | undefined, field: string): boolean {
  return membersOf(document, schema)?.required.includes(field) === true;
}
