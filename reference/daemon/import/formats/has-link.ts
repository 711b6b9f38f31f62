/**
 * Whether a line of the text starts with a scheme, known or not. A web page has none, whatever its lines start with. Text can be
 * long; a list has its first link before long.
 */
export function hasLink(text: string): boolean {
  const head = text.slice(0, longestHead);
  return !head.startsWith("<") && lineWithScheme.test(head);
}

const longestHead = 256 * 1024;
const lineWithScheme = /^[a-z][a-z0-9+.-]{0,29}:\/\//im;
