import { createHash } from "node:crypto";
import { badRequest } from "../../bad-request.js";

/**
 * Throws a refusal when a digest is not that of the stored content: SHA-256 of the UTF-8 text of the raw Markdown, in hex digits,
 * whose letter case does not count. Without a digest, nothing is checked.
 *
 * Rule: "Edit a message", `prev_content_sha256`.
 */
export function checkPreviousContent(digest: string | undefined, stored: string): void {
  if (digest === undefined) return;
  if (digest.toLowerCase() !== createHash("sha256").update(stored, "utf8").digest("hex")) {
    throw badRequest("'prev_content_sha256' value does not match the expected value");
  }
}
