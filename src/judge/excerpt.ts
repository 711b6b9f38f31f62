/** Replaces secrets with `***`. */
export type Mask = (text: string) => string;

/** How many characters of a text are searched for secrets. */
const maxRead = 20_000;
/** The maximum length of a spelling of a secret. */
const maxSpelling = 5_000;

/**
 * Masks a text and cuts it to a maximum number of characters, with `…` at the end. It masks before it cuts, because it would not
 * recognize half a secret.
 */
export function excerpt(text: string, maxLength: number, mask: Mask): string {
  const read = text.slice(0, maxRead);
  const masked = mask(read);
  // The searched part may also end with half a secret.
  const safe = read.length < text.length ? masked.slice(0, -maxSpelling) : masked;
  return safe.length > maxLength || read.length < text.length ? `${safe.slice(0, maxLength)}…` : safe;
}
