import { type ContractDocument, resolve, type Schema } from "../../../contract/chat/document.js";
import type { ProbedParameter } from "./probed-operation.js";
import { fitsText, type NamedText } from "./wrong-values.js";

/** Longer values are not made: a bound beyond this is no bound that one request can show. */
const longest = 200_000;

/** Values at the bounds of a parameter. */
export interface BoundTexts {
  /** Just within: the schema allows them. */
  readonly within: readonly NamedText[];
  /** Just beyond: the schema forbids them. */
  readonly beyond: readonly NamedText[];
}

/** Values at and just beyond each bound of a parameter that has any. Lengths count Unicode code points. */
export function boundTexts(document: ContractDocument, parameter: ProbedParameter, sample: unknown): BoundTexts {
  if (parameter.isFile) return { within: [], beyond: [] };
  // Of alternatives with a bound of the same kind, the first.
  const byName = new Map(
    boundsOf(document, parameter.schema, sample)
      .reverse()
      .map((one) => [one[0], one] as const),
  );
  const candidates = [...byName.values()].reverse().flatMap(([name, summary, value]) => {
    const text = parameter.json ? JSON.stringify(value) : String(value);
    // An empty segment leads to another path.
    return parameter.place === "path" && text === "" ? [] : [{ name, summary, text }];
  });
  return {
    within: candidates.filter(({ name, text }) => name.startsWith("at-") && fitsText(document, parameter, text)),
    beyond: candidates.filter(({ name, text }) => name.startsWith("beyond-") && !fitsText(document, parameter, text)),
  };
}

type Candidate = readonly [name: string, summary: string, value: unknown];

function boundsOf(document: ContractDocument, given: Schema, sample: unknown): Candidate[] {
  const schema = resolve<Schema>(document, given);
  const { pattern } = schema;
  const item = Array.isArray(sample) ? sample[0] : undefined;
  const items = (count: number) => (item === undefined ? undefined : Array.from({ length: count }, () => item));
  return [
    ...numbers("minimum", schema.minimum, -1, (value) => value),
    ...numbers("maximum", schema.maximum, 1, (value) => value),
    // Characters of two UTF-16 units and four bytes each: whoever counts those refuses too early.
    ...numbers("min-length", schema.minLength, -1, (length) => "𝔵".repeat(length)),
    ...numbers("max-length", schema.maxLength, 1, (length) => "𝔵".repeat(length)),
    ...numbers("min-items", schema.minItems, -1, items),
    ...numbers("max-items", schema.maxItems, 1, items),
    ...(typeof pattern === "string"
      ? ["!", "no match", "-", "0"].map((text): Candidate => ["beyond-pattern", "does not match its pattern", text])
      : []
    )
      .filter(([, , text]) => !new RegExp(String(pattern), "u").test(String(text)))
      .slice(0, 1),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((inner) => boundsOf(document, inner, sample)),
  ];
}

/** The value at a bound and the one a step beyond it. `make` gives undefined when there is no such value. */
function numbers(name: string, bound: unknown, step: 1 | -1, make: (size: number) => unknown): Candidate[] {
  if (typeof bound !== "number") return [];
  const isSize = name.includes("-");
  const sizes: readonly (readonly [string, string, number])[] = [
    ["at", "is at its bound", bound],
    ["beyond", "is beyond its bound", bound + step],
  ];
  return sizes.flatMap(([place, summary, size]): Candidate[] => {
    if (isSize && (size < 0 || size > longest)) return [];
    const value = make(size);
    return value === undefined ? [] : [[`${place}-${name}`, `${summary} ${name} ${bound}`, value]];
  });
}
