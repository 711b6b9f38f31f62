import type { CallStep, SentAs } from "../../contract/check.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import {
  type EncodedBody,
  type RequestValues,
  serialize,
  type WireRequest,
  writeRequest,
} from "../../request/encode.js";
import { describedBytes, describedFile } from "./described-file.js";
import type { ReadyRequest } from "./send-request.js";

/** Encodes a call to the API at a URL, without credentials. */
export function encodeCall(
  operation: ProbedOperation,
  { with: values, written, sent }: Pick<CallStep, "with" | "written" | "sent">,
  apiUrl: string,
): ReadyRequest {
  const wire = sentAs(writeRequest(operation.request, withFiles(operation, values), written), sent);
  const { method, path, query, headers, body } = serialize(wire);
  const url = `${apiUrl.replace(/\/+$/, "")}${path}${query === "" ? "" : `?${query}`}`;
  if (body === undefined) return { method, url, headers };
  return body.kind === "parts"
    ? { method, url, headers, body: body.parts.map(([name, value]) => [name, value as string | File]) }
    : { method, url, headers: { ...headers, "Content-Type": body.type }, ...contentOf(body) };
}

function contentOf({ content }: Extract<EncodedBody, { kind: "content" }>): Pick<ReadyRequest, "body" | "bytes"> {
  if (typeof content === "string") return { body: content };
  const bytes = describedBytes(content);
  return { body: `${bytes.length} bytes`, bytes };
}

/** Replaces the descriptions of files. */
function withFiles({ parameters }: ProbedOperation, values: RequestValues): RequestValues {
  const files = parameters.filter(({ isFile, name }) => isFile && values[name] !== undefined);
  if (files.length === 0) return values;
  const replaced = files.map(({ name, wireName }) => {
    const toFile = (value: unknown) => describedFile(value, wireName === null ? "" : undefined) ?? value;
    const value = values[name];
    return [name, Array.isArray(value) ? value.map(toFile) : toFile(value)] as const;
  });
  return { ...values, ...Object.fromEntries(replaced) };
}

/** Gives a request another form than that of its operation. */
function sentAs(wire: WireRequest, { method, type, multipart, body }: SentAs = {}): WireRequest {
  const changed = method === undefined ? wire : { ...wire, method, body: [] };
  if (body !== undefined) return { ...changed, bodyAs: { kind: "raw", type: type ?? "text/plain", content: body } };
  if (multipart) return { ...changed, bodyAs: { kind: "multipart" } };
  return type === undefined ? changed : { ...changed, bodyAs: { kind: "form", type } };
}
