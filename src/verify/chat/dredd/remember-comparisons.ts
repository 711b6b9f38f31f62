/** The part of a message that Gavel, which compares responses for Dredd, reads. */
interface Message {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** The result of a comparison. Source: gavel 9, typings.d.ts. */
interface Comparison {
  readonly valid: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
}

type Compare = (expected: Message, real: Message) => Comparison;

/** The object that the package `gavel` exports by default, through which Dredd calls it. */
interface Gavel {
  validate: Compare;
}

/** Comparisons of larger messages are not remembered. */
const maxKeyLength = 20_000;

/**
 * Makes Gavel remember comparisons. For each, Gavel compiles the schema and its meta-schema twice, which takes longer
 * than the request, although most responses have the same headers, and refusals the same body. The results stay those
 * of Gavel.
 */
export function rememberComparisons(gavel: Gavel): void {
  const compare = gavel.validate;
  const known = new Map<string, Comparison>();
  const remembered: Compare = (expected, real) => {
    const key = JSON.stringify([expected, real]);
    const result = known.get(key) ?? compare(expected, real);
    if (key.length <= maxKeyLength) known.set(key, result);
    return result;
  };
  gavel.validate = (expected, real) => {
    const { headers: wanted, ...content } = expected;
    // With a schema, headers and body can be compared separately. Without one, the media type in the headers decides how bodies are
    // compared.
    if (wanted === undefined || content.bodySchema === undefined) return remembered(expected, real);
    const names = Object.keys(wanted).map((name) => name.toLowerCase());
    const inHead = remembered({ headers: wanted }, { headers: pick(real.headers, names) });
    const rest = remembered(content, { ...real, headers: pick(real.headers, ["content-type"]) });
    const { body, ...others } = rest.fields;
    return { valid: inHead.valid && rest.valid, fields: { ...others, ...inHead.fields, body } };
  };
}

function pick(headers: Message["headers"] = {}, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name.toLowerCase())));
}
