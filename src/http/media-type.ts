/**
 * The media type of a `Content-Type` header in lower case, without parameters: `application/json` for
 * `Application/JSON; charset=utf-8`. Empty without a header. Source: RFC 9110, section 8.3.1.
 */
export function mediaType(contentType: string | null | undefined): string {
  return (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Whether a media type is JSON, such as `application/problem+json`. */
export function isJsonType(type: string): boolean {
  return /^[^/]+\/(?:[^/;]+\+)?json\s*(?:;|$)/i.test(type);
}
