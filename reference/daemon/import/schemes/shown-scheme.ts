/** RFC 3986, section 3.1, or the type of an object that is written like a scheme. */
const word = /^[a-z0-9][a-z0-9+.-]{0,31}$/i;

/**
 * What a rejection shows of a scheme or type that is not known: the word in lower case. What looks rather like a token than like a
 * name becomes the empty text: mixed case, more than two digits, or more than one word.
 */
export function shownScheme(text: string): string {
  const isEvenCase = text === text.toLowerCase() || text === text.toUpperCase();
  return word.test(text) && isEvenCase && text.replace(/\D/g, "").length <= 2 ? text.toLowerCase() : "";
}
