import type { Schema } from "../../../contract/rest/document.js";
import type { ProbedOperation, ProbedParameter } from "../../../contract/rest/probed-operation.js";

/** The name of a parameter and its text. */
export type Field = readonly [name: string, text: string];

const separators: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|" };

/** Whether a parameter is an array or object that is not sent as JSON. */
export function isStyled({ json, isFile, style, schema }: ProbedParameter): boolean {
  return !json && !isFile && style !== undefined && (schema.type === "array" || schema.type === "object");
}

/**
 * Replaces the texts of each array and object of the query string, or of a form, by one field with its JSON. Source: OpenAPI 3.1, "Style
 * Examples".
 */
export function joinStyledFields({ parameters }: ProbedOperation, fields: readonly Field[]): readonly Field[] {
  return parameters.filter(isStyled).reduce<readonly Field[]>((all, parameter) => {
    const name = parameter.wireName ?? parameter.name;
    const keys = Object.keys(parameter.schema.properties ?? {});
    const { name: style = "form", explode = true } = parameter.style ?? {};
    const isList = parameter.schema.type === "array";
    const isPart = ([key]: Field) =>
      style === "deepObject" ? key.startsWith(`${name}[`) : key === name || (!isList && explode && keys.includes(key));
    const parts = all.filter(isPart);
    if (parts.length === 0) return all;
    const value = isList ? listOf(parts, parameter, explode) : objectOf(parts, parameter, style, explode);
    return [...all.filter((field) => !isPart(field)), [parameter.name, JSON.stringify(value)]];
  }, fields);
}

function listOf(parts: readonly Field[], { schema, style }: ProbedParameter, explode: boolean): unknown[] {
  const separator = separators[style?.name ?? ""] ?? ",";
  const texts = parts.flatMap(([, text]) => (explode ? [text] : text.split(separator)));
  return texts.map((text) => typedValue(schema.items, text));
}

function objectOf(parts: readonly Field[], { schema }: ProbedParameter, style: string, explode: boolean): object {
  const pairs = parts.flatMap(([key, text]): Field[] => {
    if (style === "deepObject") return [[/\[([^\]]*)\]$/.exec(key)?.[1] ?? key, text]];
    if (explode) return [[key, text]];
    const texts = text.split(",");
    return texts.flatMap((one, at): Field[] => (at % 2 === 0 ? [[one, texts[at + 1] ?? ""]] : []));
  });
  return Object.fromEntries(pairs.map(([key, text]) => [key, typedValue(schema.properties?.[key], text)]));
}

/** A text as the type of its schema, or as it is. */
export function typedValue(schema: Schema | undefined, text: string): unknown {
  const types = [schema?.type ?? []].flat();
  if (types.includes("boolean") && /^(?:true|false)$/.test(text)) return text === "true";
  const isNumber = types.includes("number") || types.includes("integer");
  return isNumber && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
}
