import { isObject } from "../../../base/is-object.js";

type Node = Readonly<Record<string, unknown>>;

/** How many schemas may follow from another without a value between them: by references, `allOf`, alternatives. */
export const maxReferenceChain = 200;

/** How many schemas may judge one value, with those that do so several times. */
export const maxSchemasPerValue = 10_000;

/** Keywords whose schemas judge the same value. */
const inPlace = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"] as const;

/**
 * Finds the schemas whose `$ref` leads back to them without a value between, or over too many others, by why. No value can be judged by
 * such a reference. `target` resolves one.
 */
export function findEndless(schemas: Iterable<Node>, target: (schema: Node) => Node | undefined): Map<Node, string> {
  const found = new Map<Node, string>();
  const heights = new Map<Node, number>();
  const weights = new Map<Node, number>();
  const open = new Set<Node>();
  for (const root of schemas) {
    // No recursion: a chain of references may be longer than the stack.
    const stack: { readonly schema: Node; readonly referred: Node | undefined; readonly next: readonly Node[] }[] = [];
    const enter = (schema: Node) => {
      open.add(schema);
      const referred = target(schema);
      const parts = inPlace.flatMap((key) => [schema[key]].flat().filter(isObject));
      stack.push({ schema, referred, next: referred === undefined ? parts : [referred, ...parts] });
    };
    if (!heights.has(root)) enter(root);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const { schema, referred, next } = top;
      const child = next.find((one) => !heights.has(one) && !open.has(one));
      if (child !== undefined) {
        enter(child);
        continue;
      }
      const isCircle = referred !== undefined && open.has(referred);
      const isLong = referred !== undefined && (heights.get(referred) ?? 0) >= maxReferenceChain;
      if (isCircle) found.set(schema, "leads back to itself");
      else if (isLong) found.set(schema, `leads to a chain of more than ${maxReferenceChain} schemas`);
      const isHeavy = referred !== undefined && (weights.get(referred) ?? 0) > maxSchemasPerValue;
      if (isHeavy && !found.has(schema))
        found.set(schema, `leads to more than ${maxSchemasPerValue} schemas for one value`);
      weights.set(schema, isHeavy ? 1 : next.reduce((sum, one) => sum + (weights.get(one) ?? 0), 1));
      heights.set(schema, isLong ? 1 : 1 + Math.max(0, ...next.map((one) => heights.get(one) ?? 0)));
      open.delete(schema);
      stack.pop();
    }
  }
  return found;
}
