import fc from "fast-check";

const [firstSurrogate, surrogates, codePoints] = [0xd800, 0x800, 0x110000];

/**
 * Any character as the unit of `fc.string`, with the distribution of its unit `binary`, whose table of all characters takes a process more
 * than a second.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: codePoints - surrogates - 1 })
  .map((index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates), toIndex);

/** The reverse, with which `fc.string` recognizes the notorious names that it generates, such as `__proto__`. */
function toIndex(character: unknown): number {
  if (typeof character !== "string" || !/^\P{Cs}$/su.test(character)) throw new TypeError("It is not one character");
  const code = character.codePointAt(0) ?? 0;
  return code < firstSurrogate ? code : code - surrogates;
}
