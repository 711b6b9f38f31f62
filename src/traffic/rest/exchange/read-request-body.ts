import { parseJson } from "../../../base/parse-json.js";
import { bodyValues } from "../../../contract/rest/request-body.js";
import { mediaType } from "../../../http/media-type.js";
import type { ReadBody } from "../../../server/rest/body-reader.js";
import { readBody } from "../../../server/rest/read-body.js";
import { spooledPath } from "../../../server/rest/spool.js";
import type { RecordedExchange } from "../../recorded/recorded-exchange.js";
import type { Field } from "./decode-parameters.js";
import type { OperationAtLevel } from "./operations-at-level.js";

/** The body of a request, as far as it could be read. */
export type RequestBody =
  | { readonly kind: "fields"; readonly fields: readonly Field[]; readonly files: readonly (readonly [string, Blob])[] }
  | { readonly kind: "unread"; readonly reason: string }
  /** The body does not have the form that the contract describes. */
  | { readonly kind: "refused"; readonly status: number; readonly reason: string };

/** Why a body was not judged. */
export const notKept = "it is too large, or was not recorded";

/** A body without fields. */
export const noFields = { kind: "fields", fields: [], files: [] } as const satisfies RequestBody;

/** Reads the body of a request to an operation: a form, JSON, whose members are fields, or anything else, which is one field. */
export async function readRequestBody(
  { request }: RecordedExchange,
  operation: OperationAtLevel,
): Promise<RequestBody> {
  const { body, headers } = request;
  // The protocol defines the body of such a request.
  if (operation.beginsProtocol || request.bodyBytes === 0) return noFields;
  if (body === undefined) return { kind: "unread", reason: notKept };
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)$/.test(
    mediaType(headers["content-type"]),
  );
  if (operation.body === "json" || operation.body === "raw") {
    if (!isForm) return operation.body === "json" ? jsonFields(body, operation) : rawField(body, operation);
    const isDocumented = operation.mediaTypes.some((type) => mediaType(type) === mediaType(headers["content-type"]));
    const reason = "a form, and the contract also documents another body";
    return isDocumented ? { kind: "unread", reason } : { kind: "refused", status: 415, reason: "the body is a form" };
  }
  const read: ReadBody = await readBody(once(body), (name) => headers[name]);
  switch (read.kind) {
    case "read": {
      const files = await Promise.all(read.files.map(inMemory));
      await read.dispose();
      return { kind: "fields", fields: read.fields, files };
    }
    case "refused":
      return { kind: "refused", status: read.status, reason: read.message };
    case "aborted":
      return { kind: "unread", reason: "the client did not send all of it" };
  }
}

function jsonFields(bytes: Uint8Array, { fieldsOfBody }: OperationAtLevel): RequestBody {
  const value = parseJson(Buffer.from(bytes).toString("utf8"));
  if (value === undefined) return { kind: "refused", status: 400, reason: "the body is not JSON" };
  const values = fieldsOfBody === undefined ? {} : bodyValues(fieldsOfBody, value);
  try {
    const fields = Object.entries(values).map(([name, one]) => [name, JSON.stringify(one)] as const);
    return { ...noFields, fields };
  } catch (error) {
    // Unlike `JSON.parse`, `JSON.stringify` needs stack for each level of nesting.
    if (error instanceof RangeError) return { kind: "unread", reason: "its JSON is nested too deeply" };
    throw error;
  }
}

function rawField(bytes: Uint8Array, { fieldsOfBody, parameters }: OperationAtLevel): RequestBody {
  const [{ name } = { name: "body" }] = fieldsOfBody?.fields ?? [];
  const text = Buffer.from(bytes).toString("utf8");
  return parameters.some((one) => one.name === name && one.isFile)
    ? { kind: "fields", fields: [], files: [[name, new Blob([Buffer.from(bytes)])]] }
    : { kind: "fields", fields: [[name, text]], files: [] };
}

/** Copies a file from the disk, because the reports are written after it has been removed. */
async function inMemory([name, file]: readonly [string, File]): Promise<readonly [string, Blob]> {
  if (spooledPath(file) === undefined) return [name, file];
  return [name, new File([await file.arrayBuffer()], file.name, { type: file.type })];
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
