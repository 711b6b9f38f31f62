/** Encodes a text for a part of a URL fragment (field): percent-encoding with a dot for the percent sign. */
export function encodeFragment(text: string): string {
  return encodeURIComponent(text)
    .replace(/[.!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%", ".");
}
