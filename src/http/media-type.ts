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

/** Whether a media type without parameters is the given one or in its range, such as `image/*` or `application/*+json`. Source: RFC 9110, section 12.5.1. */
export function isInRange(type: string, range: string): boolean {
  const [before, after] = mediaType(range).split("*", 2) as [string, string?];
  if (after === undefined) return type === before;
  return mediaType(range) === "*/*" || (type.startsWith(before) && type.endsWith(after));
}

/** The media types that stand for ranges. */
const usualTypes: Readonly<Record<string, string>> = {
  audio: "audio/mpeg",
  font: "font/woff2",
  image: "image/png",
  text: "text/plain",
  video: "video/mp4",
};

/** A media type of a range, or the type itself. */
export function typeInRange(range: string): string {
  if (!range.includes("*")) return range;
  const [main = ""] = range.toLowerCase().split("/");
  return range.endsWith("+json") ? range.replace("*", "x") : (usualTypes[main] ?? "application/json");
}
