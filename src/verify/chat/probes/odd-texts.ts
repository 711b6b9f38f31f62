import type { ProbedParameter } from "./probed-operation.js";
import type { NamedText } from "./wrong-values.js";

const ofTexts: readonly NamedText[] = [
  { name: "odd-nul", text: "a\0b", summary: "has a NUL" },
  { name: "odd-long", text: "x".repeat(20_000), summary: "has 20,000 characters" },
  { name: "odd-unicode", text: "𝔵\u0301\u200f\u202e✔️\ud7ff", summary: "has odd Unicode characters" },
  { name: "odd-quotes", text: `'"\`;--%s$\{x}{{x}}\\`, summary: "has quotation marks and other syntax" },
];

const ofNumbers: readonly NamedText[] = [
  { name: "odd-negative", text: "-1", summary: "is negative" },
  { name: "odd-zero", text: "0", summary: "is zero" },
  { name: "odd-beyond-2-53", text: "9007199254740993", summary: "is beyond 2^53" },
  { name: "odd-beyond-int64", text: "9223372036854775808", summary: "is beyond 64 bits" },
  { name: "odd-huge", text: `1${"0".repeat(400)}`, summary: "has 401 digits" },
  { name: "odd-exponent", text: "1e3", summary: "has an exponent" },
];

const ofJson: readonly NamedText[] = [
  { name: "odd-deep", text: "[".repeat(5_000) + "]".repeat(5_000), summary: "is nested 5,000 deep" },
  { name: "odd-null", text: "null", summary: "is null" },
  { name: "odd-huge-number", text: "[1e400, -1, 9223372036854775808]", summary: "has numbers beyond all bounds" },
  { name: "odd-repeated-item", text: "[1,1,1,1]", summary: "has an item more than once" },
  {
    name: "odd-prototype",
    text: '[{"__proto__":{"a":1},"constructor":1}]',
    summary: "has members named like parts of an object",
  },
  { name: "odd-surrogate", text: '["\\ud800"]', summary: "has half a surrogate pair" },
];

const empty: NamedText = { name: "odd-empty", text: "", summary: "is the empty text" };

/** Texts of which the contract says nothing, or whose answer it leaves open. No server may fail over them. */
export function oddTexts({ isFile, json, place, schema }: ProbedParameter): NamedText[] {
  if (isFile) return [];
  const texts = json ? ofJson : schema.type === "string" ? ofTexts : ofNumbers;
  // An empty segment leads to another path, and so does a NUL in many a server.
  return place === "path" ? texts.filter(({ name }) => name !== "odd-nul") : [empty, ...texts];
}
