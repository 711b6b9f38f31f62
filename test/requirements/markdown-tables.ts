/** A table of a Markdown document, with the headings above it. */
export interface MarkdownTable {
  /** The `##` and `###` headings above the table, outermost first. */
  readonly headings: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** Parses the tables of a Markdown document, in order. Cells are trimmed; backquotes are kept. */
export function markdownTables(markdown: string): MarkdownTable[] {
  const tables: { headings: string[]; columns: string[]; rows: Record<string, string>[] }[] = [];
  let headings: string[] = [];
  let open: (typeof tables)[number] | undefined;
  for (const line of markdown.split("\n")) {
    const heading = /^(#{2,3}) (.+)$/.exec(line);
    if (heading) headings = heading[1] === "##" ? [heading[2] ?? ""] : [headings[0] ?? "", heading[2] ?? ""];
    const cells = line.startsWith("|")
      ? line
          .slice(1, line.lastIndexOf("|"))
          .split("|")
          .map((cell) => cell.trim())
      : undefined;
    if (cells === undefined) open = undefined;
    else if (open === undefined) {
      open = { headings, columns: cells, rows: [] };
      tables.push(open);
    } else if (!cells.every((cell) => /^:?-+:?$/.test(cell))) {
      open.rows.push(Object.fromEntries(open.columns.map((column, i) => [column, cells[i] ?? ""])));
    }
  }
  return tables;
}
