import { isObject } from "../../base/is-object.js";
import { alternativesOf, leavesOf, scalarReadings } from "../../contract/rest/alternatives.js";
import type { ContractDocument, Schema } from "../../contract/rest/document.js";
import type { ProbedOperation, ProbedParameter } from "../../contract/rest/probed-operation.js";
import { fitsSchema } from "../../judge/validators.js";
import { matchesPattern } from "../../schema/pattern.js";

/** Headers that HTTP clients write themselves, so that they can be neither omitted nor changed at will. */
const clientHeaders: ReadonlySet<string> = new Set(
  "connection content-length cookie expect host te trailer transfer-encoding upgrade user-agent".split(" "),
);

/** The parameters that probes omit and change: not credentials, and not the headers of another protocol or of the HTTP client. */
export function probedParameters({ beginsProtocol, login, parameters }: ProbedOperation): ProbedParameter[] {
  return parameters.filter(({ name, place }) => {
    if (place !== "header") return true;
    const key = name.toLowerCase();
    const isLogin = login.some((one) => one.kind === "key" && one.in === "header" && one.name.toLowerCase() === key);
    return !beginsProtocol && !isLogin && !clientHeaders.has(key);
  });
}

/**
 * Whether a part of a request can carry a text. A path changes with empty segments and those of dots (RFC 3986, section 5.2.4). Headers
 * carry visible ASCII with spaces inside (RFC 9110, section 5.5); many servers accept 8 KiB of them in total.
 */
export function canCarry(place: ProbedParameter["place"], text: string): boolean {
  // A NUL ends the path on many servers.
  if (place === "path") return !/^\.{0,2}$|\0/.test(text);
  return place !== "header" || (text.length <= maxHeaderLength && /^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(text));
}

const maxHeaderLength = 4_000;

/** An encoded value of a parameter. */
export interface NamedText {
  /** The part of a probe id that stands for the value. */
  readonly name: string;
  readonly text: string;
  /** The value in words. */
  readonly summary: string;
}

/**
 * Whether a text is an encoded value of the parameter. Accepts integers and booleans only in their usual form, so a text that does not fit
 * need not be invalid: the contract leaves other forms open.
 */
export function fitsText(document: ContractDocument, parameter: ProbedParameter, text: string): boolean {
  const { json, schema, style } = parameter;
  if (json) {
    try {
      return fitsSchema(document, schema, JSON.parse(text));
    } catch {
      return false;
    }
  }
  const readings = scalarReadings(text);
  if (readings.some((value) => fitsSchema(document, schema, value))) return true;
  if (style === undefined) return false;
  const leaves = leavesOf(document, schema);
  // A text at the name of an object need not be read: its properties may have names of their own.
  if (leaves.some(({ type }) => [type].flat().includes("object"))) return true;
  const separator = style.explode ? undefined : (separators[style.name] ?? ",");
  const items = separator === undefined ? [text] : text.split(separator);
  return leaves.some(
    ({ items: item }) =>
      typeof item === "object" &&
      items.every((one) => scalarReadings(one).some((value) => fitsSchema(document, item, value))) &&
      fitsSchema(document, { ...schema, items: {} }, items),
  );
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|" };

/**
 * Lists texts that no reading turns into a value of the parameter, so that a server must refuse them: of a wrong type, not JSON, not among
 * the listed values, and for JSON also wrong items and members of an otherwise valid value. Empty if the parameter accepts any text.
 */
export function wrongTexts(document: ContractDocument, parameter: ProbedParameter, sample: unknown): NamedText[] {
  if (parameter.isFile) return [];
  const candidates = parameter.json ? wrongJson(document, parameter, sample) : wrongPlain(document, parameter.schema);
  return candidates.filter(({ text }) => canCarry(parameter.place, text) && !fitsText(document, parameter, text));
}

/** Those of `wrongTexts` that are wrong by their value: one that is not JSON would make the whole body unreadable. */
export function wrongValues(document: ContractDocument, parameter: ProbedParameter): NamedText[] {
  const texts = wrongTexts(document, parameter, undefined);
  return parameter.inJson ? texts.filter(({ name }) => name !== "wrong-no-json") : texts;
}

function wrongPlain(document: ContractDocument, schema: Schema): NamedText[] {
  const leaves = leavesOf(document, schema);
  const isInteger = leaves.some(({ type }) => type === "integer");
  const isListed = leaves.some((leaf) => leaf.enum !== undefined || leaf.const !== undefined);
  return [
    { name: "wrong-word", text: "no-such-value", summary: "is an invalid word" },
    ...leaves.flatMap(({ enum: listed = [] }) => {
      const [word] = listed.filter((value) => typeof value === "string");
      const text = typeof word === "string" ? word.toUpperCase() : "";
      return text === word || text === ""
        ? []
        : [{ name: "wrong-case", text, summary: "is a listed word in capitals" }];
    }),
    ...(isInteger ? [{ name: "wrong-fraction", text: "1.5", summary: "is a fraction" }] : []),
    ...(isInteger && isListed
      ? [{ name: "wrong-number", text: "987654321", summary: "is a number that is not listed" }]
      : []),
  ];
}

/** One value of each JSON type. Unlike `"12"` or null, none can be read as another type, even by a lenient server. */
const valuesByType: readonly (readonly [name: string, summary: string, value: unknown])[] = [
  ["boolean", "true", true],
  ["number", "a number", 1.5],
  ["text", "a text", "no-such-value"],
  ["array", "an array", [[]]],
  ["object", "an object", { "no-such-member": true }],
];

function wrongJson(document: ContractDocument, { schema, inJson }: ProbedParameter, sample: unknown): NamedText[] {
  const whole = valuesByType.map(([name, what, value]) => named(`wrong-json-${name}`, `is ${what} in JSON`, value));
  const first = Array.isArray(sample) ? sample[0] : undefined;
  const takesItems = leavesOf(document, schema).some(({ items }) => items !== undefined);
  const items = takesItems
    ? valuesByType.map(([name, what, value]) => named(`wrong-item-${name}`, `has an item that is ${what}`, [value]))
    : [];
  const members = Object.keys(isObject(first) ? first : {}).flatMap((member) => [
    named(`wrong-item-without-${member}`, `has an item without \`${member}\``, [without(first, member)]),
    ...valuesByType.map(([name, what, value]) =>
      named(`wrong-${member}-${name}`, `has an item whose \`${member}\` is ${what}`, [
        Object.assign({}, first, { [member]: value }),
      ]),
    ),
  ]);
  const noJson = inJson ? "is an unfinished list, so that the body is not JSON" : "is not JSON";
  return [{ name: "wrong-no-json", text: '["unfinished', summary: noJson }, ...whole, ...items, ...members];
}

function named(name: string, summary: string, value: unknown): NamedText {
  return { name, summary, text: JSON.stringify(value) };
}

function without(value: unknown, member: string): object {
  return Object.fromEntries(Object.entries(isObject(value) ? value : {}).filter(([name]) => name !== member));
}

/** The maximum size of generated values. A single request cannot show a larger bound. */
const maxSize = 200_000;

/** Values at the bounds of a parameter. */
export interface BoundTexts {
  /** At a bound, so that the schema allows them. */
  readonly within: readonly NamedText[];
  /** One step beyond a bound, so that the schema forbids them. */
  readonly beyond: readonly NamedText[];
}

/** Lists values at and just beyond each bound of a parameter. Lengths are in Unicode code points. */
export function boundTexts(document: ContractDocument, parameter: ProbedParameter, sample: unknown): BoundTexts {
  if (parameter.isFile) return { within: [], beyond: [] };
  // If several alternatives have a bound of one kind, the first counts.
  const byName = new Map(
    alternativesOf(document, parameter.schema)
      .flatMap((schema) => boundsOf(schema, sample, parameter.place))
      .reverse()
      .map((one) => [one[0], one] as const),
  );
  const candidates = [...byName.values()].reverse().flatMap(([name, summary, value]) => {
    const text = parameter.json ? JSON.stringify(value) : String(value);
    return canCarry(parameter.place, text) ? [{ name, summary, text }] : [];
  });
  return {
    within: candidates.filter(({ name, text }) => name.startsWith("at-") && fitsText(document, parameter, text)),
    beyond: candidates.filter(({ name, text }) => name.startsWith("beyond-") && !fitsText(document, parameter, text)),
  };
}

type Candidate = readonly [name: string, summary: string, value: unknown];

function boundsOf(schema: Schema, sample: unknown, place: ProbedParameter["place"]): Candidate[] {
  const { pattern } = schema;
  // A character with two UTF-16 code units and four bytes, so a server that counts those accepts too short texts or rejects valid ones.
  const character = place === "header" ? "x" : "𝔵";
  const item = Array.isArray(sample) ? sample[0] : undefined;
  const items = (count: number) => (item === undefined ? undefined : Array.from({ length: count }, () => item));
  return [
    ...numbers("minimum", schema.minimum, -1, (value) => value),
    ...numbers("maximum", schema.maximum, 1, (value) => value),
    ...numbers("min-length", schema.minLength, -1, (length) => character.repeat(length)),
    ...numbers("max-length", schema.maxLength, 1, (length) => character.repeat(length)),
    ...numbers("min-items", schema.minItems, -1, items),
    ...numbers("max-items", schema.maxItems, 1, items),
    ...exclusive("exclusive-minimum", schema.exclusiveMinimum, 1),
    ...exclusive("exclusive-maximum", schema.exclusiveMaximum, -1),
    ...multiples(schema.multipleOf),
    ...(schema.uniqueItems === true && item !== undefined
      ? [["beyond-unique-items", "has an item twice", [item, item]] satisfies Candidate]
      : []),
    ...(typeof pattern === "string"
      ? ["!", "no match", "-", "0"].map((text): Candidate => ["beyond-pattern", "does not match its pattern", text])
      : []
    )
      .filter(([, , text]) => !matchesPattern(String(pattern), String(text)))
      .slice(0, 1),
  ];
}

/** The values at a bound and one step beyond it. `make` returns undefined if there is no such value. */
function numbers(name: string, bound: unknown, step: 1 | -1, make: (size: number) => unknown): Candidate[] {
  if (typeof bound !== "number") return [];
  const isSize = name.includes("-");
  const sizes: readonly (readonly [string, string, number])[] = [
    ["at", "is at its bound", bound],
    ["beyond", "is beyond its bound", bound + step],
  ];
  return sizes.flatMap(([place, summary, size]): Candidate[] => {
    if (isSize && (size < 0 || size > maxSize)) return [];
    const value = make(size);
    return value === undefined ? [] : [[`${place}-${name}`, `${summary} ${name} ${bound}`, value]];
  });
}

/** The bound itself, which is forbidden, and the next integer. */
function exclusive(name: string, bound: unknown, step: 1 | -1): Candidate[] {
  if (typeof bound !== "number") return [];
  return [
    [`at-${name}`, `is next to its bound ${name} ${bound}`, bound + step],
    [`beyond-${name}`, `is its bound ${name} ${bound}, which is excluded`, bound],
  ];
}

function multiples(unit: unknown): Candidate[] {
  if (typeof unit !== "number" || unit <= 0) return [];
  return [
    ["at-multiple-of", `is a multiple of ${unit}`, unit * 2],
    ["beyond-multiple-of", `is no multiple of ${unit}`, unit > 1 ? unit * 2 + 1 : unit * 1.5],
  ];
}

const oddStrings: readonly NamedText[] = [
  { name: "odd-nul", text: "a\0b", summary: "has a NUL" },
  { name: "odd-long", text: "x".repeat(20_000), summary: "has 20,000 characters" },
  { name: "odd-unicode", text: "𝔵\u0301\u200f\u202e✔️\ud7ff", summary: "has odd Unicode characters" },
  { name: "odd-quotes", text: `'"\`;--%s$\{x}{{x}}\\`, summary: "has quotation marks and other syntax" },
];

const oddNumbers: readonly NamedText[] = [
  { name: "odd-negative", text: "-1", summary: "is negative" },
  { name: "odd-zero", text: "0", summary: "is zero" },
  { name: "odd-beyond-2-53", text: "9007199254740993", summary: "is beyond 2^53" },
  { name: "odd-beyond-int64", text: "9223372036854775808", summary: "is beyond 64 bits" },
  { name: "odd-huge", text: `1${"0".repeat(400)}`, summary: "has 401 digits" },
  { name: "odd-exponent", text: "1e3", summary: "has an exponent" },
];

const oddJson: readonly NamedText[] = [
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

/** Lists texts for which the contract leaves the response open. No server may fail on them. */
export function oddTexts({ isFile, json, inJson, place, schema }: ProbedParameter): NamedText[] {
  if (isFile) return [];
  const texts = [
    inJson ? { ...empty, text: '""' } : empty,
    ...(json ? oddJson : schema.type === "string" ? oddStrings : oddNumbers),
  ];
  return texts.filter(({ text }) => canCarry(place, text));
}
