// Replaces what the matchers of errors take from Node (see `.vitepress/config.ts`).

/** Whether two JSON values are equal. Replaces `isDeepStrictEqual` of `node:util`. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  const [ofOne, ofOther] = [Object.entries(one), Object.entries(other)];
  if (Array.isArray(one) !== Array.isArray(other) || ofOne.length !== ofOther.length) return false;
  return ofOne.every(([key, value]) => Object.hasOwn(other, key) && isDeepStrictEqual(value, Reflect.get(other, key)));
}

/** Replaces `src/judge/digest.ts`: no error of a contract has a digest, and browsers compute them only asynchronously. */
export function sha256(): string {
  throw new Error("Digests are not computed in the browser");
}
