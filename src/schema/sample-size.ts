import { isObject } from "../base/is-object.js";
import { tokenize } from "./pattern-tokens.js";

type Node = Readonly<Record<string, unknown>>;

/** How many values a sample of a schema may take to make, with all alternatives. Past it, no sample is made. */
export const maxSampleValues = 500_000;
/** How many characters count as one value. */
export const charactersPerValue = 100;

/**
 * How many values it takes to make a sample of a schema: its own and those of all its parts, as often as they occur. Takes time in proportion
 * to the schema, however often its parts refer to the same. Circles count once.
 */
export function sampleSize(schema: unknown, resolve: (ref: string) => unknown): number {
  const sizes = new Map<object, number>();
  return sizeOf(schema, 0);

  function sizeOf(given: unknown, depth: number): number {
    if (!isObject(given)) return 1;
    const known = sizes.get(given);
    if (known !== undefined) return known;
    // A part that contains itself counts once more.
    sizes.set(given, 1);
    const size = Math.min(ownSize(given, depth + 1), Number.MAX_VALUE);
    sizes.set(given, size);
    return size;
  }

  function ownSize(node: Node, depth: number): number {
    if (depth > maxDepth) return Number.MAX_VALUE;
    const many = (value: unknown) => (isObject(value) ? Object.values(value) : Array.isArray(value) ? value : []);
    const sum = (values: readonly unknown[]) => values.reduce<number>((total, one) => total + sizeOf(one, depth), 0);
    const atLeast = (keyword: string) => (typeof node[keyword] === "number" ? Number(node[keyword]) : 0);
    const parts = ["properties", "allOf", "anyOf", "oneOf", "prefixItems"].flatMap((key) => many(node[key]));
    return (
      1 +
      (typeof node.$ref === "string" ? sizeOf(resolve(node.$ref), depth) : 0) +
      sum(parts) +
      sizeOf(node.items, depth) * Math.max(1, atLeast("minItems")) +
      (node.contains === undefined ? 0 : sizeOf(node.contains, depth) * Math.max(1, atLeast("minContains"))) +
      (isObject(node.additionalProperties) ? sizeOf(node.additionalProperties, depth) : 0) +
      atLeast("minProperties") +
      (Array.isArray(node.required) ? node.required.length : 0) +
      (atLeast("minLength") + (typeof node.pattern === "string" ? shortestMatch(node.pattern) : 0)) / charactersPerValue
    );
  }
}

/** How many schemas may be within each other. */
const maxDepth = 1_000;

/** How many characters a text has at least that matches a pattern, if its alternatives are all as long as together. */
export function shortestMatch(pattern: string): number {
  const lengths = [0];
  let last = 0;
  const add = (length: number) => lengths.push((lengths.pop() ?? 0) + length);
  for (const token of tokenize(pattern).tokens) {
    if (token.kind === "quantifier") add(last * (token.min - 1));
    else if (token.kind === "open") lengths.push(0);
    else if (token.kind === "close" && lengths.length > 1) {
      last = lengths.pop() ?? 0;
      add(last);
    } else if (["text", "any", "escape", "class"].includes(token.kind)) {
      last = 1;
      add(last);
    }
  }
  return Math.max(
    0,
    lengths.reduce((sum, one) => sum + one, 0),
  );
}
