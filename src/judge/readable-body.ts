import type { ContractDocument } from "../contract/rest/document.js";
import { isJson } from "../contract/rest/response-schemas.js";
import { mediaType } from "../http/media-type.js";
import { documentedOperations, documentedResponse } from "./documented-response.js";
import type { ReceivedResponse } from "./http-message.js";

/**
 * The body of a response as matchers and outputs see it: parsed JSON, or a text, without the end of its last line. A documented text is one
 * even if it could be JSON, such as `42`. Undefined if there is no body, or if it is neither.
 */
export function readableBody(
  document: ContractDocument,
  operationId: string | undefined,
  { status, contentType, text }: Pick<ReceivedResponse, "status" | "contentType" | "text">,
  parsed: unknown,
): unknown {
  const type = mediaType(contentType);
  if (type === "" || isJson(type) || text === "" || text.includes("\uFFFD")) return parsed;
  const operation = operationId === undefined ? undefined : documentedOperations(document).get(operationId);
  const documented = operation && documentedResponse(document, operation, status);
  const isText = Object.keys(documented?.response.content ?? {}).some((one) => mediaType(one) === type);
  return parsed === undefined || isText ? text.replace(/\r?\n$/, "") : parsed;
}
