/** The verdict of a tool on a behaviour; `unmeasured` if the tool has not been run on it. */
export type ToolVerdict = "reported" | "silent" | "unmeasured";

/** A fault or variation, with the verdicts of the tools in their order. */
export interface FaultRow {
  readonly name: string;
  /** The family of a fault; undefined for a variation. */
  readonly family?: string;
  /** A predicate whose subject is the server: "returns 500". May contain Markdown. */
  readonly summary: string;
  readonly verdicts: readonly ToolVerdict[];
}

/** The faults and variations of a service. */
export interface FaultTables {
  readonly tools: readonly string[];
  readonly faults: readonly FaultRow[];
  readonly variations: readonly FaultRow[];
}

/** The content of `scripts/faults/verdicts.json`, which `npm run faults` writes. */
export interface AllFaultTables {
  readonly chat: FaultTables;
  readonly daemon: FaultTables;
}

/** The texts of `docs/faults.md`: its introduction, and the method of the measurement. */
export function readFaultTexts(page: string): { readonly intro: string; readonly method: string } {
  const [, intro = ""] = /not to be edited\.\n\n([\s\S]*?)\n\n/i.exec(page) ?? [];
  const [, method = ""] = /\n## Method\n\n([\s\S]*)$/.exec(page) ?? [];
  return { intro, method: method.trim() };
}
