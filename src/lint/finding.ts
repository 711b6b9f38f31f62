import { visibleText } from "../text/visible-text.js";

/** The severities of findings: an error fails the command. */
export type Severity = "error" | "warning";

/** What is wrong in a contract, and where. Lines and columns count from 1. */
export interface LintFinding {
  readonly severity: Severity;
  /** The path of the file, relative to the working directory. Undefined if it concerns no file in particular. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The name of the check, such as `struct`. */
  readonly check?: string;
  readonly text: string;
}

/** The tiers of lint: what every contract needs, and what makes it a good one. */
export const tiers = ["minimal", "strict"] as const;
export type Tier = (typeof tiers)[number];

/** Formats a finding as `file:line:column: severity: text (check)`. */
export function formatLintFinding({ severity, check, text, ...place }: LintFinding): string {
  return `${placeOf(place)}${severity}: ${text}${check === undefined ? "" : ` (${check})`}`;
}

/** Formats a finding as an annotation. Source: workflow commands of GitHub Actions. */
export function formatAnnotation({ severity, file, line, column, check, text }: LintFinding): string {
  const properties = Object.entries({ file, line, col: column, title: check })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeData(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C")}`);
  return `::${severity} ${properties.join(",")}::${escapeData(text)}`;
}

/** Converts a problem of the form `file:line:column: text`. The column, or the whole place, may be missing. */
export function lintFindingOf(problem: string, check?: string): LintFinding {
  const [, file, line, column, text] = /^(\S+?):(\d+)(?::(\d+))?: (.*)$/s.exec(problem) ?? [];
  return {
    severity: "error",
    ...(file === undefined ? {} : { file, line: Number(line) }),
    ...(column === undefined ? {} : { column: Number(column) }),
    check,
    text: text ?? problem,
  };
}

function placeOf({ file, line, column }: Pick<LintFinding, "file" | "line" | "column">): string {
  return file === undefined ? "" : `${[file, line, column].filter((part) => part !== undefined).join(":")}: `;
}

function escapeData(text: string): string {
  return visibleText(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
