import { createHash } from "node:crypto";

/** The content security policy of a page: no requests, and only its own style and script. */
export function pagePolicy(style: string, script: string): string {
  return [
    "default-src 'none'",
    "img-src data:",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** The hash of a text as a source expression of a content security policy (CSP, level 3). */
function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
}
