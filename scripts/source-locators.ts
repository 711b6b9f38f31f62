/** A place in the requirements: a heading, and a detail below it. */
export interface Locator {
  readonly heading: string;
  readonly details: readonly LocatorDetail[];
}

export type LocatorDetail =
  /** An entry of a numbered list (`rule 3`, or the number after the heading), a bulleted list, a table, or the table of levels. */
  | { readonly kind: "rule" | "item" | "row" | "level"; readonly number: number }
  /** A parameter, field, code or setting, in backquotes. */
  | { readonly kind: "name"; readonly name: string }
  /** A row by its name in the first column. */
  | { readonly kind: "entry"; readonly name: string }
  /** The paragraph on responses or errors. */
  | { readonly kind: "response" | "errors" };

const form = "Write headings of the requirements, such as `Edit a message, rule 3` or `Errors 2; Limits, row 1`";

/**
 * Parses the `source` of a rule: locators separated by `; `, each a heading with details after a comma, such as
 * "Edit a message, rule 3". Throws an Error that shows the form.
 */
export function parseSource(source: string): Locator[] {
  return source.split("; ").map(parseLocator);
}

/** Describes the problem with the `source` of a rule; undefined if it is valid. */
export function sourceProblem(source: string | undefined): string | undefined {
  if (source === undefined) return `\`source\` is missing. ${form}.`;
  try {
    parseSource(source);
    return undefined;
  } catch (error) {
    return `\`source\`: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function parseLocator(text: string): Locator {
  const [place = "", ...rest] = text.split(", ");
  const [, heading, number] = /^([A-Z][A-Za-z' -]{3,59}?)(?: (\d+))?$/.exec(place) ?? [];
  if (heading === undefined) throw new Error(`\`${text}\` begins with no heading. ${form}.`);
  const details = rest.flatMap((part) => part.split(" and ").map((detail) => parseDetail(detail, text)));
  return { heading, details: [...(number ? [{ kind: "rule", number: Number(number) } as const] : []), ...details] };
}

function parseDetail(detail: string, text: string): LocatorDetail {
  if (detail === "response" || detail === "errors") return { kind: detail };
  const [, kind, number] = /^(rule|item|row|level) (\d+)$/.exec(detail) ?? [];
  if (kind !== undefined) return { kind: kind as "rule" | "item" | "row" | "level", number: Number(number) };
  const [, quoted] = /^(?:(?:response|error) )?`([\w ]{1,50})`$/.exec(detail) ?? [];
  if (quoted !== undefined) return { kind: "name", name: quoted };
  if (/^[A-Z][A-Za-z -]{2,39}$/.test(detail)) return { kind: "entry", name: detail };
  throw new Error(`\`${text}\` has the detail \`${detail}\`, which names nothing. ${form}.`);
}
