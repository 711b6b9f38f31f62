import { createHash } from "node:crypto";
import { pageScript } from "../../../generated/verify/page-script.js";
import { pageStyle } from "./page-style.js";

/** The content security policy of the page: no requests, and only its own style and script. */
export const pagePolicy = [
  "default-src 'none'",
  "img-src data:",
  `style-src ${hashOf(pageStyle)}`,
  `script-src ${hashOf(pageScript)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** The hash of a text as a source expression of a content security policy (CSP, level 3). */
function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
}
