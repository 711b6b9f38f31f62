import { percentDecode } from "../../../base/percent-decode.js";
import type { ProbedOperation, ProbedParameter } from "../../../contract/rest/probed-operation.js";
import type { ValueStyle } from "../../../contract/rest/value-style.js";
import { maskedText } from "../../../judge/mask.js";
import { decodeField, malformed, typesOf } from "../../../request/decode-field.js";
import type { SentText } from "../../../request/style.js";
import type { RouteMatch } from "../../../server/rest/match-route.js";

/** The name of a parameter and its text. */
export type Field = SentText;

/** The parameters of a request, decoded. */
export interface DecodedParameters {
  /** By name. Those that could not be decoded are absent. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Parameters whose text does not match their type. */
  readonly malformed: readonly { readonly name: string; readonly expected: string }[];
}

/** Whether a parameter is an array or object that is not sent as JSON. */
function isStyled({ json, isFile, style, schema }: ProbedParameter): boolean {
  return !json && !isFile && style !== undefined && (schema.type === "array" || schema.type === "object");
}

/** Whether a parameter is sent as plain text: it is neither JSON nor anything but a string. */
export function isText(operation: ProbedOperation, parameter: ProbedParameter): boolean {
  const { json, isFile, schema } = parameter;
  const isString = () => [...typesOf(operation.document, schema)].every((type) => type === "string" || type === "null");
  return !json && !isFile && !isStyled(parameter) && isString();
}

/**
 * Replaces the texts of each array and object in a place, such as the query string or a form, by one field with its JSON. Source: OpenAPI
 * 3.1, "Style Examples".
 */
export function joinStyledFields(
  { document, parameters }: Pick<ProbedOperation, "document" | "parameters">,
  fields: readonly Field[],
): readonly Field[] {
  return parameters.filter(isStyled).reduce<readonly Field[]>((all, { name, wireName, schema, style = plain }) => {
    const own = wireName ?? name;
    const properties = schema.type === "array" || !style.explode ? {} : (schema.properties ?? {});
    const isPart = ([key]: Field) =>
      style.name === "deepObject" ? key.startsWith(`${own}[`) : key === own || Object.hasOwn(properties, key);
    const parts = all.filter(isPart);
    if (parts.length === 0) return all;
    const value = decodeField(document, { name: own, schema, isJson: false, style }, parts);
    return [...all.filter((field) => !isPart(field)), [name, JSON.stringify(value)]];
  }, fields);
}

/** The style of JSON and of plain text. */
const plain: ValueStyle = { name: "simple", explode: false };

/** The texts of a path. */
export function pathFields(
  { document, parameters }: ProbedOperation,
  { path, rawPath }: Pick<Extract<RouteMatch, { kind: "found" }>, "path" | "rawPath">,
): readonly Field[] {
  const fields = Object.entries(path).map(([name, text]): Field => [name, text, rawPath[name]]);
  return joinStyledFields({ document, parameters: parameters.filter(({ place }) => place === "path") }, fields);
}

/** Whether a parameter is a header or cookie. */
export function isInHead({ place }: ProbedParameter): boolean {
  return place === "header" || place === "cookie";
}

/** Whether a recording shows no more of a value than that it was sent. */
export function isMasked(parameter: ProbedParameter, value: unknown): boolean {
  return isInHead(parameter) && value === maskedText;
}

/** Lists the cookies of a request, and the headers that are parameters of its operation. Empty if a protocol defines the headers. */
export function headFields(operation: ProbedOperation, headers: Readonly<Record<string, string>>): readonly Field[] {
  const parameters = operation.beginsProtocol ? [] : operation.parameters.filter(isInHead);
  if (parameters.length === 0) return [];
  const own = parameters.flatMap(({ name, place }): Field[] => {
    const text = place === "header" ? headers[name.toLowerCase()] : undefined;
    return text === undefined ? [] : [[name, text]];
  });
  const cookies = [...(headers.cookie ?? "").matchAll(/([^=;\s]+)=([^;]*)/g)];
  const pairs = cookies.map(([, name = "", text = ""]): Field => [name, percentDecode(text)]);
  return joinStyledFields({ ...operation, parameters }, [...own, ...pairs]);
}

/**
 * Decodes the parameters of a request. Those of query and body may be in the query string or the body, for any method; the body takes precedence, and so does
 * the last of a repeated name. A file may have any name. `head` are headers and cookies.
 */
export function decodeParameters(
  operation: ProbedOperation,
  inPath: readonly Field[],
  head: readonly Field[],
  fields: readonly Field[],
  files: readonly (readonly [string, Blob])[],
): DecodedParameters {
  const decoded = operation.parameters.map((parameter) => {
    const { name, place, isFile, json, schema } = parameter;
    if (isFile) {
      const [file, ...others] = files;
      return { name, value: file?.[1], expected: others.length > 0 ? "exactly one file" : undefined };
    }
    const isJson = json || isStyled(parameter);
    const field = { name, schema, isJson, style: isJson ? plain : (parameter.style ?? plain) };
    const texts = isInHead(parameter) ? head : place === "path" ? inPath : fields;
    const value = decodeField(operation.document, field, texts);
    const [, masked] = texts.find(([key, text]) => key === name && isMasked(parameter, text)) ?? [];
    if (masked !== undefined) return { name, value: masked, expected: undefined };
    return { name, value, expected: expectedOf(operation, parameter, value) };
  });
  return {
    values: Object.fromEntries(
      decoded.flatMap(({ name, value, expected }) => (value === undefined || expected ? [] : [[name, value]])),
    ),
    malformed: decoded.flatMap(({ name, expected }) => (expected === undefined ? [] : { name, expected })),
  };
}

/** What the text of a parameter must be, if it is not: texts of another type stay texts. */
function expectedOf({ document }: ProbedOperation, parameter: ProbedParameter, value: unknown): string | undefined {
  if (value === malformed) return "JSON text";
  if (typeof value !== "string" || parameter.json || isStyled(parameter)) return undefined;
  const types = typesOf(document, parameter.schema);
  if (types.has("string")) return undefined;
  if (types.has("integer")) return "an integer";
  if (types.has("number")) return "a number";
  return types.has("boolean") ? "true or false" : undefined;
}
