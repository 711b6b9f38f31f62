import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { readComments } from "../proto-comments.js";

/** Whether a field makes a repeated request do nothing new: it has such a name (https://google.aip.dev/155), and its comment says so. */
export function isRequestId(field: DescField): boolean {
  if (field.name !== "request_id" && field.name !== "idempotency_key") return false;
  const comment = readComments([field.parent.file])(field) ?? "";
  return /idempotent|idempotency|duplicate|\b(?:retry|retries|retried|repeated)\b|same request|once\b/i.test(comment);
}

/** The field of a request that makes its repetition do nothing new. */
export function requestIdOf({ fields }: DescMessage): DescField | undefined {
  return fields.find(isRequestId);
}
