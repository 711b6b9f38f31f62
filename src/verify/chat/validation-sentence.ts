import type { ValidationError } from "../../../generated/chat/validators.js";
import { jsonText } from "./json-text.js";

/** What an error of a validator says, in a sentence. */
export function validationSentence({
  instancePath,
  keyword,
  params,
  message = "does not fit",
}: ValidationError): string {
  const detail = keyword === "const" ? ` ${jsonText(params.allowedValue)}` : "";
  return `${instancePath === "" ? "body" : instancePath}: ${message}${detail}`;
}
