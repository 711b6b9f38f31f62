import { mediaType } from "../../../chat/codec/media-type.js";
import type { DreddTransaction } from "./dredd-transaction.js";
import type { ReadyCase } from "./prepare-case.js";

/** Makes a transaction send the request of a case, and expect what the contract says about its response. */
export function applyCase(transaction: DreddTransaction, { request, planned }: ReadyCase): void {
  const { headers, bodySchema } = planned;
  const { pathname } = new URL(request.url);
  const query = request.url.indexOf("?");
  transaction.fullPath = pathname + (query === -1 ? "" : request.url.slice(query));
  transaction.request.headers = { ...transaction.request.headers, ...request.headers };
  transaction.request.body = request.bytes;
  const { mediaType: type } = planned.one.response;
  transaction.expected.headers = {
    ...Object.fromEntries(headers.map((name) => [name, "any value"])),
    ...(type === undefined ? {} : { "Content-Type": type }),
  };
  transaction.expected.statusCode = String(planned.one.response.status);
  if (bodySchema === undefined) delete transaction.expected.bodySchema;
  else transaction.expected.bodySchema = JSON.stringify(bodySchema);
}

/**
 * Widens what a transaction expects by what the contract leaves open, now that the response is there: any status from 400 to 499 for an
 * open case, and parameters of the media type, which Dredd would compare as text.
 */
export function widenExpectation({ real, expected }: DreddTransaction, { planned }: ReadyCase): void {
  if (real === undefined) return;
  const { statusCode } = real;
  if (planned.one.open !== undefined && statusCode >= 400 && statusCode < 500) expected.statusCode = String(statusCode);
  const [type] = [real.headers["content-type"] ?? []].flat();
  if (type !== undefined && mediaType(type) === expected.headers["Content-Type"])
    expected.headers["Content-Type"] = type;
}
