import { percentEncode } from "../../../../base/percent-encode.js";
import { type Body, inputsOf, type Operation } from "../../../../request/operation.js";
import type { CallStep } from "../../../check.js";
import { expressionOf, expressionsIn } from "../../../expressions.js";
import { mapTexts } from "../../../map-texts.js";
import { type ArazzoTexts, NotInArazzoError } from "./texts.js";

/** A file that a step uploads. */
export interface UploadedFile {
  readonly name: string;
  readonly text: string;
}

/** The parameters and the body of a step. */
interface ArazzoRequest {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly value: unknown }[];
  readonly requestBody?: { readonly contentType: string; readonly payload: unknown };
}

/** Writes what a call sends. Throws a `NotInArazzoError`. */
export function requestOf(
  { with: values, written = {}, headers = {} }: CallStep,
  operation: Operation,
  texts: ArazzoTexts,
): ArazzoRequest {
  if (typeof headers !== "object") throw new NotInArazzoError("the names of headers are unknown");
  const [body] = operation.bodies ?? [];
  const parameters: { name: string; in: string; value: unknown }[] = [];
  const payload: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const how = written[name];
    if (how === "omitted") continue;
    if (how === "twice" || how === "query")
      throw new NotInArazzoError("Arazzo sends a parameter once, where its operation says");
    const isText = how !== undefined;
    const parameter = inputsOf(operation).find((one) => one.name === name);
    const { place = body === undefined ? "query" : "body", wireName = name, json = false, style } = parameter ?? {};
    if (style !== undefined && typeof value === "object" && value !== null)
      throw new NotInArazzoError("Respect writes lists and objects in no style of OpenAPI");
    if (place === "path")
      parameters.push({ name, in: place, value: isText ? texts.text(String(value)) : pathValue(value, texts) });
    else if (place !== "body") parameters.push({ name, in: place, value: sent(value, json, isText, texts) });
    else payload[wireName ?? wholeBody] = bodyValue(body, { value, json, isText }, texts);
  }
  for (const [name, value] of Object.entries(headers))
    parameters.push({ name, in: "header", value: sent(value, false, false, texts) });
  return {
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined || Object.keys(payload).length === 0
      ? {}
      : { requestBody: { contentType: body.type, payload: wholeBody in payload ? payload[wholeBody] : payload } }),
  };
}

/** The name of the only field of a body that is the whole body. */
const wholeBody = "";

function bodyValue(
  body: Body | undefined,
  { value, json, isText }: { readonly value: unknown; readonly json: boolean; readonly isText: boolean },
  texts: ArazzoTexts,
): unknown {
  if (body?.form === "json") {
    if (isText) throw new NotInArazzoError("Respect sends no text in place of JSON");
    return mapTexts(value, texts.text);
  }
  return body?.form === "multipart" && !json ? fileReference(value) : sent(value, json, isText, texts);
}

/** Respect sends values as they are, so that lists and objects must be JSON text. */
function sent(value: unknown, isEncoded: boolean, isText: boolean, texts: ArazzoTexts): unknown {
  if (isText) return texts.text(String(value));
  if (typeof value === "object" && value !== null) return texts.json(value);
  if (typeof value !== "string") return value;
  return isEncoded && expressionOf(value) === undefined ? texts.json(value) : texts.text(value);
}

/** Respect inserts the value of a path parameter as it is. */
function pathValue(value: unknown, texts: ArazzoTexts): unknown {
  if (typeof value !== "string" || expressionsIn(value).length > 0) return sent(value, false, false, texts);
  return texts.text(value).replace(/[^/@]+/g, percentEncode);
}

function fileReference(value: unknown): string {
  if (!isTextFile(value)) throw new NotInArazzoError("Respect uploads only files beside the document");
  return `$file('files/${value.name}')`;
}

/** Whether a value describes one file by its name and text. */
export function isTextFile(value: unknown): value is UploadedFile {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    "text" in value &&
    typeof value.text === "string" &&
    /^[\w-][\w.-]*$/.test(String(value.name))
  );
}
