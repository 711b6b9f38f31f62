import type { CallStep, SentAs, Written } from "../../contract/check.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import type { HttpPart } from "../../judge/http-message.js";
import type { EncodedBody, RequestValues } from "../../request/create-encode.js";
import { encodeLeniently } from "../../request/encode.js";
import { type Body, defaultPlace, inputsOf, type Operation, type Parameter, placeOf } from "../../request/operation.js";
import { describedBytes, describedFile } from "./described-file.js";
import type { ReadyRequest } from "./send-request.js";

/** Encodes a call to the API at a URL, without credentials. */
export function encodeCall(
  { request, parameters }: Pick<ProbedOperation, "request" | "parameters">,
  { with: values, written = {}, sent = {} }: Pick<CallStep, "with" | "written" | "sent">,
  apiUrl: string,
): ReadyRequest {
  const call = sentAs(vary({ operation: request, values: withFiles(parameters, values) }, written), sent);
  const encoded = encodeLeniently(call.operation, call.values);
  const { method, path, query, headers } = encoded;
  const url = `${apiUrl.replace(/\/+$/, "")}${path}${query === "" ? "" : `?${query}`}`;
  const isRaw = sent.body !== undefined && method !== "GET" && method !== "HEAD";
  const body: EncodedBody | undefined = isRaw
    ? { kind: "content", type: sent.type ?? "text/plain", content: sent.body }
    : encoded.body;
  if (body === undefined) return { method, url, headers };
  return body.kind === "parts"
    ? { method, url, headers, body: body.parts as readonly HttpPart[] }
    : { method, url, headers: { ...headers, "Content-Type": body.type }, ...contentOf(body) };
}

function contentOf({ content }: Extract<EncodedBody, { kind: "content" }>): Pick<ReadyRequest, "body" | "bytes"> {
  if (typeof content === "string") return { body: content };
  const bytes = describedBytes(content);
  return { body: `${bytes.length} bytes`, bytes };
}

/** Replaces the descriptions of files. */
function withFiles(parameters: readonly Parameter[], values: RequestValues): RequestValues {
  const files = parameters.filter(({ isFile, name }) => isFile && values[name] !== undefined);
  if (files.length === 0) return values;
  const replaced = files.map(({ name, wireName }) => {
    const toFile = (value: unknown) => describedFile(value, wireName === null ? "" : undefined) ?? value;
    const value = values[name];
    return [name, Array.isArray(value) ? value.map(toFile) : toFile(value)] as const;
  });
  return { ...values, ...Object.fromEntries(replaced) };
}

interface Encodable {
  readonly operation: Operation;
  readonly values: RequestValues;
}

/** Changes an operation and its values so that some parameters are sent in another way. */
function vary({ operation: given, values }: Encodable, written: Readonly<Record<string, Written>>): Encodable {
  let operation = withRequiredBody(given, written);
  const entries = Object.entries(values).flatMap(([name, value]): (readonly [string, unknown])[] => {
    const how = Object.hasOwn(written, name) ? written[name] : undefined;
    const parameter = inputsOf(given).find((one) => one.name === name) ?? { name, place: defaultPlace(given) };
    if (how === undefined || value === undefined) return [[name, value]];
    if (how === "omitted") return [];
    if (how === "verbatim" && parameter.place === "path") {
      operation = { ...operation, path: operation.path.replace(`{${name}}`, () => String(value)) };
      return [];
    }
    if (how === "query") {
      operation = withParameter(operation, { ...parameter, place: "query" });
      return [[name, value]];
    }
    if (how === "twice") {
      const { wireName = name } = parameter;
      operation = withParameter(operation, { ...parameter, name: `${name} again`, wireName });
      return [
        [name, value],
        [`${name} again`, value],
      ];
    }
    const { style: _, ...plain } = parameter;
    operation = withParameter(operation, { ...plain, json: false, isFile: false });
    return [[name, String(value)]];
  });
  return { operation, values: Object.fromEntries(entries) };
}

/** Puts a parameter in place of the one with its name, or adds it. */
function withParameter(operation: Operation, parameter: Parameter): Operation {
  const replaced = (all: readonly Parameter[]) => all.filter(({ name }) => name !== parameter.name);
  const { bodies: [first, ...others] = [] } = operation;
  return {
    ...operation,
    parameters: [...replaced(operation.parameters), parameter],
    ...(first === undefined ? {} : { bodies: [{ ...first, fields: replaced(first.fields) }, ...others] }),
  };
}

/** There is a body of JSON without any field: an object whose only field is omitted, but not a whole body that is. */
function withRequiredBody(operation: Operation, written: Readonly<Record<string, Written>>): Operation {
  const { bodies: [first, ...others] = [] } = operation;
  const omitted = first?.fields.filter(({ name }) => written[name] === "omitted") ?? [];
  if (first === undefined || omitted.length === 0) return operation;
  const required = omitted.every(({ wireName }) => wireName !== null);
  return { ...operation, bodies: [{ ...first, required }, ...others] };
}

/** Gives a request another form than that of its operation. */
function sentAs({ operation, values }: Encodable, { method, type, multipart }: SentAs): Encodable {
  const { bodies: [first = noBody, ...others] = [] } = operation;
  const form: Partial<Body> | undefined = multipart
    ? { form: "multipart", type: "multipart/form-data" }
    : type === undefined
      ? undefined
      : { form: "form", type };
  const changed = form === undefined ? operation : { ...operation, bodies: [{ ...first, ...form }, ...others] };
  if (method === undefined) return { operation: changed, values };
  const kept = Object.entries(values).filter(([name]) => placeOf(operation, name) !== "body");
  return { operation: { ...changed, method }, values: Object.fromEntries(kept) };
}

const noBody: Body = { type: "", form: "form", fields: [] };
