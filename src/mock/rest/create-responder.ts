import {
  type ContractDocument,
  type MediaTypeObject,
  type ResponseObject,
  resolve,
} from "../../contract/rest/document.js";
import type { ListedOperation } from "../../contract/rest/operations.js";
import { sampleValue, withoutWriteOnly } from "../../contract/rest/sample.js";
import { isTooLargeToSample } from "../../contract/rest/sample-bound.js";
import { acceptedTypes } from "../../http/accept.js";
import { isJsonType, typeInRange } from "../../http/media-type.js";
import { warnOnce } from "../../text/warn-once.js";
import type { Preference } from "../prefer.js";
import type { ErrorBody } from "./error-body.js";
import { escapeKey, operationPointer, type SchemaCheck } from "./schema-check.js";

/** A response of the mock, before serialization. */
export interface MockResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the response has no body. */
  readonly mediaType?: string;
  readonly body?: unknown;
  /** Why a request is refused. */
  readonly reason?: string;
}

/** Makes the documented responses of operations. */
export interface Responder {
  /** Selects a response. Undefined if the contract has no such response. */
  readonly respond: (listed: ListedOperation, preference: Preference, accept?: string) => MockResponse | undefined;
  /** Puts an explanation into a generated error, if its schema allows that. Examples stay as they are. */
  readonly explain: (listed: ListedOperation, answer: MockResponse, explanation: Explanation) => MockResponse;
}

/** The body of an error in the format of the mock, and the message in it. */
export type Explanation = ErrorBody & { readonly message: string };

/** Where error bodies usually have text for people. */
const textMember = /^(?:detail|message|description|error_description)$/;

/**
 * Makes responses from the examples of a contract, or else from its schemas. An example that its schema forbids counts only if a request
 * asks for it. What is made is kept, because a large body takes up to a second.
 */
export function createResponder(document: ContractDocument, check: SchemaCheck): Responder {
  const bodies = new Map<string, unknown>();
  return { respond, explain };

  function respond(listed: ListedOperation, preference: Preference, accept = "*/*"): MockResponse | undefined {
    const { code, example } = preference;
    const found = code === undefined && example !== undefined ? withExample(listed, example) : chosenKey(listed, code);
    if (found === undefined) return undefined;
    const response = resolve<ResponseObject>(document, listed.operation.responses[found.key] ?? { description: "" });
    const { status } = found;
    const headers = headersOf(response);
    const content = Object.entries(response.content ?? {});
    if (content.length === 0) return example === undefined ? { status, headers } : undefined;
    const withName = content.filter(([, { examples }]) => example === undefined || examples?.[example] !== undefined);
    const [mediaType, media] = chosenType(withName, accept) ?? [];
    if (mediaType === undefined || media === undefined) return undefined;
    const at = `${pointerOf(listed, found.key)}/content/${escapeKey(mediaType)}`;
    return { status, headers, mediaType: typeInRange(mediaType), body: bodyOf(media, at, mediaType, preference) };
  }

  function explain(
    listed: ListedOperation,
    answer: MockResponse,
    { mediaType, body, message }: Explanation,
  ): MockResponse {
    const { at, media } = mediaOf(listed, answer) ?? {};
    const isWritten = media?.example !== undefined || media?.examples !== undefined;
    if (isWritten || typeof answer.body !== "object" || answer.body === null) return answer;
    const members = Object.entries(answer.body).filter(
      ([name, value]) => typeof value === "string" && textMember.test(name),
    );
    const own = answer.mediaType === mediaType ? body : Object.fromEntries(members.map(([name]) => [name, message]));
    const explained = { ...answer, body: { ...answer.body, ...own } };
    return media?.schema === undefined || check(`${at}/schema`, explained.body) === undefined ? explained : answer;
  }

  /** The first response that has an example of a name: a success, if possible. */
  function withExample(listed: ListedOperation, name: string): Chosen | undefined {
    const keys = Object.keys(listed.operation.responses).sort();
    const found = keys.find((key) => {
      const { content } = resolve<Partial<ResponseObject>>(document, listed.operation.responses[key] ?? {});
      return Object.values(content ?? {}).some(({ examples }) => examples?.[name] !== undefined);
    });
    return found === undefined ? undefined : { key: found, status: statusOf(found) };
  }

  function bodyOf(media: MediaTypeObject, at: string, mediaType: string, { example, dynamic = false }: Preference) {
    const shown = (value: unknown) =>
      media.schema === undefined ? value : withoutWriteOnly(document, media.schema, value);
    if (example !== undefined) return shown(media.examples?.[example]?.value);
    const isFit = (value: unknown) =>
      value !== undefined &&
      (media.schema === undefined || !isJsonType(mediaType) || check(`${at}/schema`, value) === undefined);
    const written = [...Object.values(media.examples ?? {}).map(({ value }) => value), media.example];
    const fitting = dynamic ? undefined : written.find(isFit);
    if (fitting !== undefined) return shown(fitting);
    const schema = media.itemSchema ?? media.schema ?? {};
    if (!bodies.has(at)) bodies.set(at, sampleValue(document, schema, "response"));
    const sample = bodies.get(at);
    if (sample === undefined && !isTooLargeToSample(document, schema, at))
      warnOnce(`${at}: no value of a usual size fits, so none is made up`);
    return sample !== undefined && (isFit(sample) || dynamic)
      ? sample
      : (written.find((one) => one !== undefined) ?? sample ?? null);
  }

  function headersOf({ headers = {} }: ResponseObject): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers as Record<string, HeaderObject>).flatMap(
        ([name, { example, examples, schema, content }]) => {
          if (name.toLowerCase() === "content-type") return [];
          const [media] = Object.values(content ?? {});
          const [first] = Object.values(examples ?? {});
          const value = example ?? first?.value ?? sampleValue(document, schema ?? media?.schema ?? {}, "response");
          return value === undefined || value === null
            ? []
            : [[name.toLowerCase(), headerText(value, content !== undefined)]];
        },
      ),
    );
  }

  /** What documents the body of a response, and its JSON pointer. */
  function mediaOf(listed: ListedOperation, { status, mediaType = "" }: MockResponse) {
    const key = responseKey(listed, status);
    const response = key === undefined ? undefined : listed.operation.responses[key];
    if (key === undefined || response === undefined) return undefined;
    const media = resolve<ResponseObject>(document, response).content?.[mediaType];
    return { at: `${pointerOf(listed, key)}/content/${escapeKey(mediaType)}`, media };
  }
}

interface HeaderObject extends Partial<MediaTypeObject> {
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
}

/** A documented response and the status with which it is sent. */
interface Chosen {
  readonly key: string;
  readonly status: number;
}

function pointerOf(listed: ListedOperation, key: string): string {
  const response = listed.operation.responses[key] ?? {};
  return "$ref" in response ? String(response.$ref).slice(1) : `${operationPointer(listed)}/responses/${key}`;
}

/** The response with a status, or else the first success, the first redirect, or the first of all. */
function chosenKey(listed: ListedOperation, code: number | undefined): Chosen | undefined {
  if (code !== undefined) {
    const key = responseKey(listed, code);
    return key === undefined ? undefined : { key, status: code };
  }
  const keys = Object.keys(listed.operation.responses).sort();
  const key =
    keys.find((one) => /^2\d\d$/.test(one)) ??
    keys.find((one) => /^2XX$/i.test(one)) ??
    keys.find((one) => one.startsWith("3")) ??
    keys.find((one) => one === "default") ??
    keys[0];
  return key === undefined ? undefined : { key, status: statusOf(key) };
}

/** The status for the key of a response: 200 for `default`, the first of a range. */
function statusOf(key: string): number {
  return key === "default" ? 200 : Number(key.replace(/XX$/i, "00"));
}

/** The first media type that an `Accept` header prefers: JSON, if it leaves that open. */
function chosenType<Media>(content: readonly (readonly [string, Media])[], accept: string) {
  for (const range of accept.trim() === "" ? ["*/*"] : acceptedTypes(accept)) {
    const [wanted = ""] = range.toLowerCase().split(";");
    const matching = content.filter(([type]) => matches(wanted.trim(), type.toLowerCase().split(";")[0] ?? ""));
    const found = matching.find(([type]) => isJsonType(type)) ?? matching[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

function matches(wanted: string, type: string): boolean {
  if (wanted === "*/*" || type === "*/*" || wanted === type) return true;
  const [[a], [b]] = [wanted.split("/"), type.split("/")] as [string[], string[]];
  return a === b && (wanted.endsWith("/*") || type.endsWith("/*"));
}

/** A header as text; arrays and objects in style `simple`, which headers have (OpenAPI 3.1, "Header Object"). */
function headerText(value: unknown, isContent: boolean): string {
  if (isContent) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map(String).join(",");
  return typeof value === "object" && value !== null
    ? Object.entries(value).flat().map(String).join(",")
    : String(value);
}

/** The key of the response that documents a status: the status, its range, or `default`. Undefined if none does. */
export function responseKey({ operation }: ListedOperation, status: number): string | undefined {
  const keys = Object.keys(operation.responses);
  const range = `${String(status).charAt(0)}XX`;
  return [String(status), range, "default"]
    .map((wanted) => keys.find((key) => key.toUpperCase() === wanted.toUpperCase()))
    .find((key) => key !== undefined);
}
