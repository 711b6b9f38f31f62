const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Characters that take two columns: wide East Asian ones (Unicode, annex 11) and emoji. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

/** Estimates how many terminal columns a text takes. */
export function textWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += widthOf(segment);
  return width;
}

/** Cuts a text to a number of columns, with an ellipsis if it is longer. */
export function cutToWidth(text: string, columns: number): string {
  // A longer text is too wide anyway, so the rest is not measured.
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
 * Breaks a line anywhere into pieces that fit the columns, up to a maximum number of pieces, and says whether these are the whole line. A
 * wider character has a piece of its own.
 */
export function breakLine(line: string, columns: number, maxPieces: number): { pieces: string[]; isAll: boolean } {
  // Graphemes have no maximum length, so this may end in the middle of one.
  const beginning = line.slice(0, 8 * Math.max(columns, 1) * maxPieces);
  const pieces: string[] = [];
  let [piece, width] = ["", 0];
  for (const { segment } of segmenter.segment(beginning)) {
    const added = widthOf(segment);
    if (piece !== "" && width + added > columns) {
      pieces.push(piece);
      if (pieces.length === maxPieces) return { pieces, isAll: false };
      [piece, width] = ["", 0];
    }
    [piece, width] = [piece + segment, width + added];
  }
  return { pieces: [...pieces, piece], isAll: beginning.length === line.length };
}

/**
 * Wraps a text at spaces to fit the columns. Every piece of a line keeps its indentation. A longer word has a line of its own and is not
 * broken.
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
