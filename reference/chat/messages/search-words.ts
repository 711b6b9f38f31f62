/** Maximum length of an indexed word. The rest of a longer one makes no difference. */
const maxWordLength = 200;
const word = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu;
/** Accents and the like, and variation selectors. The marks of other scripts distinguish words. */
const ignoredMarks = /[\u0300-\u036f\ufe00-\ufe0f]/g;

/**
 * The words of a text, as the full-text index keeps and finds them: runs of letters and digits. Upper and lower case, accents, and
 * compatible forms of a character (NFKD) make no difference. Both engines index these words and nothing else, because each has its
 * own idea of words.
 */
export function searchWords(text: string): string[] {
  const plain = text.toLowerCase().normalize("NFKD").replace(ignoredMarks, "").toLowerCase().replaceAll("ς", "σ");
  return plain.match(word)?.map((one) => cut(one)) ?? [];
}

function cut(one: string): string {
  return one.length <= maxWordLength ? one : [...one].slice(0, maxWordLength).join("");
}
