import { isUtf8 } from "node:buffer";
import { mediaType } from "../../../../chat/codec/media-type.js";
import { percentDecodeBytes } from "../../../../percent-decode.js";
import type { ReadExchange } from "../decode-exchange.js";
import type { OperationAtLevel } from "../operations-at-level.js";
import type { JudgedRequest } from "./judged-request.js";

const formTypes = { form: "application/x-www-form-urlencoded", multipart: "multipart/form-data" } as const;

/** Judges the media type of a body, and whether the body fits it. */
export function judgeMediaType({ exchange, find, show, quote }: JudgedRequest, operation: OperationAtLevel): void {
  const { body, recorded } = exchange;
  const { bodyBytes, headers } = recorded.request;
  if (bodyBytes === 0 || operation.wire.protocol !== undefined) return;
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
  const expected = formTypes[operation.body === "multipart" ? "multipart" : "form"];
  if (type === expected) {
    if (type === formTypes.form && !isUtf8Form(exchange)) {
      find("type", "UTF-8", "the form is not in UTF-8, so characters outside ASCII are lost");
    }
    // The type is right, so something else is wrong, such as the boundary of the parts.
    if (body.kind === "refused") find("mediaType", "body", body.reason);
    return;
  }
  // Any form can carry the same fields, but only one kind is documented.
  if (type === formTypes.multipart && body.kind !== "refused") {
    return void find("unsupported", "media type", `the body is ${type}; the contract documents ${expected}`);
  }
  const given = type === "" ? "the body has no Content-Type" : `the body is ${quote(type)}`;
  find("mediaType", type === "" ? "missing" : type.slice(0, 60), `${given}; it must be ${expected}`);
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
