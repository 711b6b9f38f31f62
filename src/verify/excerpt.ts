/** Puts `***` in the place of secrets. */
export type Mask = (text: string) => string;

/** As much of a text is looked through for secrets, and no spelling of a secret is taken to be longer than this. */
const longestRead = 20_000;
const longestSpelling = 5_000;

/**
 * The beginning of a text, at most so many characters and `…`, in which no secret shows. The text is masked before it is cut, because
 * half a secret is not recognized as one.
 */
export function excerpt(text: string, most: number, mask: Mask): string {
  const read = text.slice(0, longestRead);
  const masked = mask(read);
  // The end of what was read may be half a secret, too.
  const sure = read.length < text.length ? masked.slice(0, -longestSpelling) : masked;
  return sure.length > most || read.length < text.length ? `${sure.slice(0, most)}…` : sure;
}
