const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Characters that take two columns: wide East Asian ones (Unicode, annex 11) and emoji. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

/** Estimates how many terminal columns a text takes. */
export function textWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return [...segmenter.segment(text)].reduce((width, { segment }) => width + widthOf(segment), 0);
}

function widthOf(grapheme: string): number {
  if (/^[\p{Mark}\p{Control}\p{Format}]/u.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}

/** Cuts a text to a number of columns, with an ellipsis if it is longer. */
export function cutToWidth(text: string, columns: number): string {
  if (columns < 1) return "";
  const { pieces, isAll } = breakLine(text, columns, 1);
  if (isAll && textWidth(text) <= columns) return text;
  const [start = ""] = breakLine(pieces[0] ?? "", columns - 1, 1).pieces;
  return textWidth(start) < columns ? `${start}…` : "…";
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
    let [current, width] = ["", 0];
    for (const word of line.trimStart().split(/[ \t]+/)) {
      const added = textWidth(word);
      const fits = current !== "" && width + 1 + added <= columns;
      if (current !== "" && !fits) lines.push(current);
      [current, width] = fits ? [`${current} ${word}`, width + 1 + added] : [indent + word, indent.length + added];
    }
    return [...lines, current.trim() === "" ? "" : current];
  });
}
