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

/**
 * A line in pieces of at most so many columns, at most so many pieces, broken anywhere, and whether that is all of it. A character that is
 * wider stands alone.
 */
export function breakLine(line: string, columns: number, most: number): { pieces: string[]; isAll: boolean } {
  // A grapheme may be as long as one likes, so the end of what is looked at may be in the middle of one.
  const beginning = line.slice(0, 8 * Math.max(columns, 1) * most);
  const pieces: string[] = [];
  let [piece, width] = ["", 0];
  for (const { segment } of segmenter.segment(beginning)) {
    const added = widthOf(segment);
    if (piece !== "" && width + added > columns) {
      pieces.push(piece);
      if (pieces.length === most) return { pieces, isAll: false };
      [piece, width] = ["", 0];
    }
    [piece, width] = [piece + segment, width + added];
  }
  return { pieces: [...pieces, piece], isAll: beginning.length === line.length };
}

/**
 * The lines of a text of at most so many columns, broken at spaces; what a line begins with, all its pieces begin with. A word that is
 * longer stands alone and is left whole.
 */
export function wrapText(text: string, columns: number): string[] {
  return text.split("\n").flatMap((line) => {
    const [indent = ""] = /^ */.exec(line) ?? [];
    const lines: string[] = [];
    let [current, width] = ["", indent.length];
    for (const word of line.trimStart().split(/[ \t]+/)) {
      const wordWidth = textWidth(word);
      if (current !== "" && width + 1 + wordWidth > columns) {
        lines.push(indent + current);
        [current, width] = [word, indent.length + wordWidth];
      } else {
        [current, width] =
          current === "" ? [word, indent.length + wordWidth] : [`${current} ${word}`, width + 1 + wordWidth];
      }
    }
    return [...lines, current === "" ? "" : indent + current];
  });
}

function widthOf(grapheme: string): number {
  if (/^[\p{Mark}\p{Control}\p{Format}]/u.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}
