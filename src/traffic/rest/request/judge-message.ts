import { isUtf8 } from "node:buffer";
import { percentDecodeBytes } from "../../../base/percent-decode.js";
import { mediaType } from "../../../http/media-type.js";
import type { ReadExchange } from "../exchange/decode-exchange.js";
import type { OperationAtLevel } from "../exchange/operations-at-level.js";
import type { JudgedRequest } from "./judged-request.js";

const [formType, multipartType] = ["application/x-www-form-urlencoded", "multipart/form-data"];

/** Judges the media type of a body, and whether the body fits it. */
export function judgeMediaType({ exchange, find, show, quote }: JudgedRequest, operation: OperationAtLevel): void {
  const { body, recorded } = exchange;
  const { bodyBytes, headers } = recorded.request;
  if (bodyBytes === 0 || operation.beginsProtocol) return;
  // A recording that shows only that there was a body may omit its type as well.
  if (recorded.request.body === undefined && bodyBytes === 1 && headers["content-type"] === undefined) return;
  show("mediaType");
  const type = mediaType(headers["content-type"]);
  if (operation.method === "GET" && body.kind === "refused") {
    return void find(
      "place",
      "body",
      `a GET request has a body of type ${quote(type)}; its parameters belong in the query string`,
    );
  }
  const expected = operation.mediaType ?? formType;
  if (type === expected || operation.mediaTypes.some((range) => isOfRange(type, range))) {
    if (type === formType && !isUtf8Form(exchange)) {
      find("type", "UTF-8", "the form is not in UTF-8, so characters outside ASCII are lost");
    }
    // The type is right, so something else is wrong, such as the boundary of the parts.
    if (body.kind === "refused") find("mediaType", "body", body.reason);
    return;
  }
  // Any form can carry the same fields, but only one kind is documented.
  if (operation.body === "form" && type === multipartType && body.kind !== "refused") {
    return void find("unsupported", "media type", `the body is ${type}; the contract documents ${expected}`);
  }
  const given = type === "" ? "the body has no Content-Type" : `the body is ${quote(type)}`;
  find("mediaType", type === "" ? "missing" : type.slice(0, 60), `${given}; it must be ${expected}`);
}

/** Whether a media type is the given one or in its range, such as `image/*`. Source: RFC 9110, section 12.5.1. */
function isOfRange(type: string, range: string): boolean {
  const [wanted = ""] = range.toLowerCase().split(";", 1);
  return wanted === "*/*" || wanted === type || (wanted.endsWith("/*") && type.startsWith(wanted.slice(0, -1)));
}

/** Finds a `#` in the path and query, which must be percent-encoded there (RFC 3986, section 2), and text that is not UTF-8. */
export function judgeEncoding({ exchange, find, show }: JudgedRequest): void {
  const { target } = exchange.recorded.request;
  show("encoding");
  if (target.includes("#")) {
    find("encoding", "#", "the URL has a #, where a server may cut it off; a # in a value is written as %23");
  }
  if (!isUtf8(percentDecodeBytes(target))) {
    find("encoding", "UTF-8", "the path or query is not in UTF-8, so characters outside ASCII are lost");
  }
}

/** Whether the percent-decoded bytes of a form are UTF-8. */
function isUtf8Form({ recorded }: ReadExchange): boolean {
  const { body } = recorded.request;
  return body === undefined || isUtf8(percentDecodeBytes(body));
}
