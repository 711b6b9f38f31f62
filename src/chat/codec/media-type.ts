/**
 * The media type of a `Content-Type` header without its parameters, in lower case: `Application/JSON; charset=utf-8` gives
 * `application/json`. Empty when there is no header.
 *
 * Source: RFC 9110, section 8.3.1.
 */
export function mediaType(contentType: string | null | undefined): string {
  return (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
