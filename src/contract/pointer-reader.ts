import { pointerKeys } from "./json-pointer.js";

/** Compiles a JSON pointer. Its function returns undefined if the value does not exist. */
export function compilePointer(pointer: string): (document: unknown) => unknown {
  const keys = pointerKeys(pointer);
  return (document) => {
    let node = document;
    for (const key of keys) {
      if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
      node = Reflect.get(node, key);
    }
    return node;
  };
}
