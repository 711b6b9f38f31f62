import { type ContractDocument, resolve, type Schema } from "../../../contract/chat/document.js";
import { fitsSchema } from "../judge/validators.js";
import type { ProbedParameter } from "./probed-operation.js";

/** A value of a parameter as it travels. */
export interface NamedText {
  /** A part of a probe's id. */
  readonly name: string;
  readonly text: string;
  /** What the value is, for people. */
  readonly summary: string;
}

/**
 * Whether a text can be read as a value of the parameter. How integers and booleans are written is read strictly here, so what does
 * not fit need not be wrong: the contract leaves other forms of them open.
 */
export function fitsText(document: ContractDocument, { json, schema }: ProbedParameter, text: string): boolean {
  if (json) {
    try {
      return fitsSchema(document, schema, JSON.parse(text));
    } catch {
      return false;
    }
  }
  const readings: unknown[] = [text];
  if (/^-?\d+$/.test(text)) readings.push(Number(text));
  if (text === "true" || text === "false") readings.push(text === "true");
  return readings.some((value) => fitsSchema(document, schema, value));
}

/**
 * Texts that cannot be read as a value of the parameter in any way, so that they must be refused: a wrong type, no JSON, not among the
 * listed values, and for JSON also wrong items and members of a value that is right otherwise. A parameter that is any text has none.
 */
export function wrongTexts(document: ContractDocument, parameter: ProbedParameter, sample: unknown): NamedText[] {
  if (parameter.isFile) return [];
  const candidates = parameter.json ? wrongJson(document, parameter, sample) : wrongPlain(document, parameter.schema);
  return candidates.filter(({ text }) => !fitsText(document, parameter, text));
}

function wrongPlain(document: ContractDocument, schema: Schema): NamedText[] {
  const leaves = leavesOf(document, schema);
  const isInteger = leaves.some(({ type }) => type === "integer");
  const isListed = leaves.some((leaf) => leaf.enum !== undefined || leaf.const !== undefined);
  return [
    { name: "wrong-word", text: "no-such-value", summary: "is a word that is no value of it" },
    ...(isInteger ? [{ name: "wrong-fraction", text: "1.5", summary: "is a fraction" }] : []),
    ...(isInteger && isListed
      ? [{ name: "wrong-number", text: "987654321", summary: "is a number that is not listed" }]
      : []),
  ];
}

/** The alternatives of a schema, or the schema itself. */
function leavesOf(document: ContractDocument, given: Schema): Schema[] {
  const schema = resolve<Schema>(document, given);
  const alternatives = schema.anyOf ?? schema.oneOf;
  return alternatives === undefined ? [schema] : alternatives.flatMap((inner) => leavesOf(document, inner));
}

/** Values of each type of JSON. None is such that a lenient reader could take it for another: `"12"` for 12, null for nothing. */
const ofTypes: readonly (readonly [name: string, summary: string, value: unknown])[] = [
  ["boolean", "true", true],
  ["number", "a number", 1.5],
  ["text", "a text", "no-such-value"],
  ["array", "an array", [[]]],
  ["object", "an object", { "no-such-member": true }],
];

function wrongJson(document: ContractDocument, { schema }: ProbedParameter, sample: unknown): NamedText[] {
  const whole = ofTypes.map(([name, what, value]) => named(`wrong-json-${name}`, `is ${what} in JSON`, value));
  const first = Array.isArray(sample) ? sample[0] : undefined;
  const takesItems = leavesOf(document, schema).some(({ items }) => items !== undefined);
  const items = takesItems
    ? ofTypes.map(([name, what, value]) => named(`wrong-item-${name}`, `has an item that is ${what}`, [value]))
    : [];
  const members = Object.keys(isObject(first) ? first : {}).flatMap((member) => [
    named(`wrong-item-without-${member}`, `has an item without \`${member}\``, [without(first, member)]),
    ...ofTypes.map(([name, what, value]) =>
      named(`wrong-${member}-${name}`, `has an item whose \`${member}\` is ${what}`, [
        Object.assign({}, first, { [member]: value }),
      ]),
    ),
  ]);
  return [{ name: "wrong-no-json", text: '["unfinished', summary: "is no JSON" }, ...whole, ...items, ...members];
}

function named(name: string, summary: string, value: unknown): NamedText {
  return { name, summary, text: JSON.stringify(value) };
}

function without(value: unknown, member: string): object {
  return Object.fromEntries(Object.entries(isObject(value) ? value : {}).filter(([name]) => name !== member));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
