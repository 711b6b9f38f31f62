/** A text as one part of a URL or a cookie. Lone surrogates, which JSON of a server may have, become the replacement character. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"));
}
