import { valueAt } from "../../json-pointer.js";
import { maxReferenceChain } from "./find-endless.js";

/** What stands for a `$ref` that cannot be followed, with the reason. */
export const cutKey = "accord-cut";

/** Over how many references a part of a document may lead to another, on the way on which a reader meets it first. */
export const maxReferenceHops = 100;

/** How many names of one thing in a row stay as they are. Redocly follows longer chains again from each of them. */
export const maxAliases = 10;

/**
 * Decodes the references of a file, shortens chains of them, and cuts those at which Redocly gives up: that lead back to themselves, or over too many others.
 * No recursion: a file may refer further than the stack reaches.
 */
export function cutReferences(root: unknown): void {
  const visited = new Set<object>();
  const stack: { readonly node: unknown; readonly hops: number }[] = [{ node: root, hops: 0 }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { node, hops } = top;
    if (typeof node !== "object" || node === null || visited.has(node)) continue;
    visited.add(node);
    const target = followed(root, node, hops);
    const children = [...(target === undefined ? [] : [{ node: target, hops: hops + 1 }])];
    // The first child comes first from the stack.
    for (const child of Object.values(node)) if (typeof child === "object") children.push({ node: child, hops });
    stack.push(...children.reverse());
  }
}

/** The target of a reference. Undefined for another object, and for a reference that is cut. */
function followed(root: unknown, node: object, hops: number): unknown {
  const given: unknown = Reflect.get(node, "$ref");
  const ref = typeof given === "string" ? withDecodedPointer(root, given) : "";
  if (ref !== given && ref !== "") Reflect.set(node, "$ref", ref);
  if (!ref.startsWith("#/")) return undefined;
  const seen = new Set<unknown>([node]);
  let [last, target] = [ref, valueAt(root, ref)];
  while (isAlias(target) && !seen.has(target) && seen.size <= maxReferenceChain) {
    seen.add(target);
    last = target.$ref;
    target = valueAt(root, last);
  }
  const problem = seen.has(target)
    ? "leads back to itself"
    : seen.size > maxReferenceChain || hops >= maxReferenceHops
      ? `leads over more than ${seen.size > maxReferenceChain ? maxReferenceChain : maxReferenceHops} references`
      : undefined;
  if (problem === undefined) {
    if (seen.size > maxAliases) Reflect.set(node, "$ref", last);
    return target;
  }
  Reflect.set(node, cutKey, problem);
  Reflect.deleteProperty(node, "$ref");
  return undefined;
}

/** A reference is a URI, so that its JSON pointer may be percent-encoded (RFC 6901, section 6), which Redocly does not read. */
function withDecodedPointer(root: unknown, ref: string): string {
  const at = ref.indexOf("#");
  if (at < 0 || !ref.includes("%", at) || (at === 0 && valueAt(root, ref) !== undefined)) return ref;
  try {
    return ref.slice(0, at) + decodeURIComponent(ref.slice(at));
  } catch {
    return ref;
  }
}

/** Whether an object is nothing but a reference within its file. */
function isAlias(value: unknown): value is { readonly $ref: string } {
  if (typeof value !== "object" || value === null || Object.keys(value).length !== 1) return false;
  const ref: unknown = Reflect.get(value, "$ref");
  return typeof ref === "string" && ref.startsWith("#/");
}
