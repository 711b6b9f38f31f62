/** Formats a Markdown table. Cells are one line of Markdown each. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("");
}
