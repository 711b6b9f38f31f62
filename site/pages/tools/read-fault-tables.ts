/** The verdict of a tool on a behaviour; `unmeasured` if the tool has not been run on it. */
export type ToolVerdict = "reported" | "silent" | "unmeasured";

/** A fault or variation, with the verdicts of the tools in their order. */
export interface FaultRow {
  readonly name: string;
  /** A predicate whose subject is the server: "answers 500". May contain Markdown. */
  readonly summary: string;
  /** The family of a fault; undefined for a variation. */
  readonly family?: string;
  readonly verdicts: readonly ToolVerdict[];
}

/** The tables of a service in `docs/faults.md`. */
export interface FaultTables {
  readonly tools: readonly string[];
  readonly faults: readonly FaultRow[];
  readonly variations: readonly FaultRow[];
}

const verdictOfCell: Readonly<Record<string, ToolVerdict>> = { yes: "reported", "–": "silent", "?": "unmeasured" };

/** Reads the tables of `docs/faults.md`, which `npm run faults` writes. */
export function readFaultTables(page: string): { readonly chat: FaultTables; readonly daemon: FaultTables } {
  const [chat = "", daemon = ""] = page.split("\n## Daemon\n");
  return { chat: readTables(chat), daemon: readTables(daemon) };
}

function readTables(part: string): FaultTables {
  const faults: FaultRow[] = [];
  const variations: FaultRow[] = [];
  let tools: readonly string[] = [];
  let family: string | undefined;
  for (const line of part.split("\n")) {
    const [, level, title] = /^(#{3,4}) (.*)$/.exec(line) ?? [];
    if (title !== undefined) family = level === "####" ? title : undefined;
    const [, head] = /^\| A server that \| {2}\| (.*) \|$/.exec(line) ?? [];
    if (head !== undefined) tools = head.split(" | ");
    const [, summary, name, cells] = /^\| (.*) \| `([a-z\d-]+)` \| (.*) \|$/.exec(line) ?? [];
    if (summary === undefined || name === undefined || cells === undefined) continue;
    const verdicts = cells.split(" | ").map((cell) => verdictOfCell[cell] ?? "unmeasured");
    const row = { name, summary: summary.replaceAll("\\|", "|"), verdicts };
    if (family === undefined) variations.push(row);
    else faults.push({ ...row, family });
  }
  return { tools, faults, variations };
}

/** The texts of the page: its introduction, and the method of the measurement. */
export function readFaultTexts(page: string): { readonly intro: string; readonly method: string } {
  const [, intro = ""] = /not to be edited\.\n\n([\s\S]*?)\n\n## /i.exec(page) ?? [];
  const [, method = ""] = /\n### Method\n\n([\s\S]*?)\n\n### /.exec(page) ?? [];
  return { intro, method };
}
