import { cutToWidth, textWidth, wrapText } from "../text/text-width.js";
import { visibleLine, visibleText } from "../text/visible-text.js";

/** Adds terminal colours to texts, or leaves them unchanged. */
export type Style = Readonly<Record<"bold" | "dim" | "red" | "green" | "yellow" | "magenta", (text: string) => string>>;

/** Creates the colours of a terminal (ECMA-48), or a style that returns texts unchanged. */
export function createStyle(colours: boolean): Style {
  const paint = (on: number, off: number) => (text: string) =>
    colours && text !== "" ? `\x1b[${on}m${text}\x1b[${off}m` : text;
  const [bold, dim] = [paint(1, 22), paint(2, 22)];
  return { bold, dim, red: paint(31, 39), green: paint(32, 39), yellow: paint(33, 39), magenta: paint(35, 39) };
}

/** The style and width of a summary. */
export interface Layout {
  readonly style: Style;
  readonly columns: number;
  /** Wraps a text into indented lines that fit the columns. */
  readonly text: (text: string, indent?: number) => string[];
  /**
   * Formats rows below a head, which is as wide as its columns. The first column is to the left, and takes what the others leave. `paint`
   * colours a cell.
   */
  readonly table: <Row extends TableRow>(
    head: TableRow,
    rows: readonly Row[],
    paint?: (cell: string, column: number, row: Row) => string,
  ) => string[];
}

type TableRow = readonly [string, ...string[]];

/** Creates the layout of a summary. */
export function createLayout(style: Style, columns: number): Layout {
  const text = (given: string, indent = 0) =>
    wrapText(visibleText(given), columns - indent).map((line) => (line === "" ? "" : " ".repeat(indent) + line));
  const table: Layout["table"] = ([title, ...heads], rows, paint = (cell) => cell) => {
    const left = Math.max(8, columns - heads.reduce((sum, head) => sum + head.length + 2, 0));
    const names = rows.map(([name]) => cutToWidth(visibleLine(name), left));
    const width = Math.max(title.length, ...names.map(textWidth));
    return [
      style.dim([title.padEnd(width), ...heads].join("  ")),
      ...rows.map((row, at) => {
        const name = names[at] ?? "";
        const cells = row.slice(1).map((cell, column) => {
          const { length } = heads[column] ?? "";
          return paint(/^[\d,-]*$/.test(cell) ? cell.padStart(length) : cell.padEnd(length), column, row);
        });
        return [name + " ".repeat(width - textWidth(name)), ...cells].join("  ");
      }),
    ];
  };
  return { style, columns, text, table };
}
