const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Characters that take two columns: East Asian ones that are wide (Unicode, annex 11), and emoji. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

/** How many columns of a terminal a text takes, about. */
export function textWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += widthOf(segment);
  return width;
}

/** As much of the beginning of a text as fits into a number of columns, with an ellipsis when it is less than all. */
export function cutToWidth(text: string, columns: number): string {
  // A text of so many characters is too wide anyway, and is not looked at in full.
  const beginning = text.slice(0, 8 * columns + 8);
  if (beginning.length === text.length && textWidth(text) <= columns) return text;
  let [result, width] = ["", 0];
  for (const { segment } of segmenter.segment(beginning)) {
    width += widthOf(segment);
    if (width > columns - 1) break;
    result += segment;
  }
  return columns < 1 ? "" : `${result}…`;
}

/** The lines of a text of at most so many columns, broken at spaces. A word that is longer stands alone and is left whole. */
export function wrapText(text: string, columns: number): string[] {
  return text.split("\n").flatMap((line) => {
    const lines: string[] = [];
    let [current, width] = ["", 0];
    for (const word of line.split(/[ \t]+/)) {
      const wordWidth = textWidth(word);
      if (current !== "" && width + 1 + wordWidth > columns) {
        lines.push(current);
        [current, width] = [word, wordWidth];
      } else {
        [current, width] = current === "" ? [word, wordWidth] : [`${current} ${word}`, width + 1 + wordWidth];
      }
    }
    return [...lines, current];
  });
}

function widthOf(grapheme: string): number {
  if (/^[\p{Mark}\p{Control}\p{Format}]/u.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}
