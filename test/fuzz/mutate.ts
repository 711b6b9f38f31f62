/** A number from 0 up to, but not including, `below`. */
export type Random = (below: number) => number;

/** Creates random numbers that depend only on a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const controls = "\u001b[31m\u009b\u202eA\n::error::x\r\u0000";
const deep = (depth: number): unknown => (depth === 0 ? {} : { items: deep(depth - 1) });
const wide = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, { type: "string" }]));

/** What a stranger may put anywhere into a document. */
const hostile: readonly (() => unknown)[] = [
  ...[null, true, 0, -1, 1.5, 1e308, 2 ** 53, "", " ", controls, "__proto__", "constructor", "toString"].map(
    (value) => () => value,
  ),
  ...[[], {}, [[]], [null], { $ref: "#" }, { $ref: "#/paths" }, { $ref: "#/components/schemas/none" }].map(
    (value) => () => value,
  ),
  ...[{ $ref: "http://127.0.0.1:9/x.yaml" }, { $ref: "../../../../etc/passwd" }, { $ref: 1 }].map(
    (value) => () => value,
  ),
  ...[{ pattern: "^(a+)+$" }, { pattern: "x{1000000000}" }, { pattern: "(" }, { pattern: controls }].map(
    (value) => () => value,
  ),
  ...[{ minItems: 1e8, type: "array" }, { minProperties: 1e7, type: "object" }, { minLength: -1 }].map(
    (value) => () => value,
  ),
  ...[
    { type: controls },
    { enum: [] },
    { const: { valueOf: 1 } },
    { allOf: [{ $ref: "#/components/schemas/Artwork" }] },
  ].map((value) => () => value),
  () => "a".repeat(100_000),
  () => deep(3_000),
  () => ({ type: "object", properties: wide(3_000) }),
  () => ({ oneOf: Array.from({ length: 300 }, (_, at) => ({ const: at })) }),
];

type Node = Record<string, unknown>;
interface Place {
  readonly holder: Node;
  readonly key: string;
}

function placesIn(node: unknown): Place[] {
  if (typeof node !== "object" || node === null) return [];
  const holder = node as Node;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}

/** Changes a few places of a document. */
export function mutateDocument(document: object, random: Random): object {
  const mutant = structuredClone(document);
  for (let count = 1 + random(3); count > 0; count--) {
    const places = placesIn(mutant);
    const place = places[random(places.length)];
    const other = places[random(places.length)];
    if (place === undefined || other === undefined) return mutant;
    const { holder, key } = place;
    const value = hostile[random(hostile.length)]?.();
    switch (random(6)) {
      case 0:
        delete holder[key];
        break;
      case 1:
        holder[key] = structuredClone(other.holder[other.key]);
        break;
      case 2:
        holder[[controls, "__proto__", "a".repeat(5_000), "get", "$ref", "200"][random(6)] ?? ""] = holder[key];
        break;
      case 3:
        if (typeof holder[key] === "object" && holder[key] !== null) Object.assign(holder[key], value);
        else holder[key] = value;
        break;
      default:
        holder[key] = value;
    }
  }
  return mutant;
}

/** Changes a few words or characters of a text. */
export function mutateText(text: string, random: Random): string {
  let words = text.split(/(?<=\W)|(?=\W)/);
  for (let count = 1 + random(4); count > 0; count--) {
    const at = random(words.length);
    const other = words[random(words.length)] ?? "";
    const inserted =
      [other, controls, "{", "}", ";", '"', "-1", "99999999999", "&a [*a, *a]", "\\u0000", "import"][random(11)] ?? "";
    words = words.toSpliced(at, random(3), inserted);
  }
  return random(10) === 0 ? words.join("").slice(0, random(text.length)) : words.join("");
}
