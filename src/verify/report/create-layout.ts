import type { Style } from "./create-style.js";
import { wrapText } from "./text-width.js";
import { visibleText } from "./visible-text.js";

/** How the parts of a summary are written. */
export interface Layout {
  readonly style: Style;
  readonly columns: number;
  /** Lines of text, indented and no wider than the columns. */
  readonly text: (text: string, indent: number) => string[];
}

/** Makes the layout of a summary. */
export function createLayout(style: Style, columns: number): Layout {
  const text = (given: string, indent: number) =>
    wrapText(visibleText(given), columns - indent).map((line) => (line === "" ? "" : " ".repeat(indent) + line));
  return { style, columns, text };
}
