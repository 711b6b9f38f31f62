import { isSequential } from "../../http/sequential.js";
import { unjudgedFeatures } from "../unjudged-features.js";
import {
  type ContractDocument,
  type MediaTypeObject,
  type NotJudged,
  type OperationObject,
  type ResponseObject,
  resolve,
} from "./document.js";
import { listOperations } from "./operations.js";
import { requestBodyOf } from "./request-body.js";
import { isJson, isScalar } from "./response-schemas.js";

/** Why no body of a media type is compared with its schema. Undefined if it is, or if there is nothing to compare. */
function unjudgedBody(
  document: ContractDocument,
  mediaType: string,
  { schema, itemSchema }: MediaTypeObject,
): string | undefined {
  if (isJson(mediaType) || (isSequential(mediaType) && itemSchema !== undefined)) return undefined;
  if (schema === undefined || isScalar(document, schema)) return undefined;
  return unjudgedFeatures[isSequential(mediaType) ? "untypedItems" : "otherTypes"].says(mediaType);
}

/** Why bodies of operations are compared with no schema, and of which, for commands that have no other place to say it. */
export function unjudgedBodies(document: ContractDocument): NotJudged[] {
  const operations = new Map<string, string[]>();
  for (const { operation } of listOperations(document)) {
    const reasons = [unjudgedSuccess(document, operation), unwritableRequest(document, operation)];
    for (const reason of new Set(reasons.flatMap((one) => one ?? [])))
      operations.set(reason, [...(operations.get(reason) ?? []), operation.operationId]);
  }
  return [...operations].map(([reason, ids]) => {
    const more = ids.length > 3 ? ` and ${ids.length - 3} more` : "";
    return {
      key: "content",
      text: `${reason}, so its bodies are not judged (of ${ids.slice(0, 3).join(", ")}${more})`,
    };
  });
}

/** Why no success of an operation is compared with a schema, although the document describes its body. */
export function unjudgedSuccess(document: ContractDocument, { responses }: OperationObject): string | undefined {
  const bodies = Object.entries(responses)
    .filter(([status]) => /^2/.test(status))
    .flatMap(([, given]) => Object.entries(resolve<Partial<ResponseObject>>(document, given).content ?? {}));
  const reasons = bodies.map(([mediaType, media]) => unjudgedBody(document, mediaType, media));
  return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
}

/** Why a request of an operation cannot be written: its body has a structure in a media type that is not JSON or a form. */
export function unwritableRequest(document: ContractDocument, operation: OperationObject): string | undefined {
  const body = requestBodyOf(document, operation);
  const [field] = body?.fields ?? [];
  if (body?.form !== "raw" || field === undefined) return undefined;
  const { schema } = field;
  const isOpen = schema.type === undefined && schema.properties === undefined && !/[/+]xml\b/.test(body.mediaType);
  return isOpen || isScalar(document, schema) ? undefined : `Accord writes no ${body.mediaType}`;
}
