import { isObject } from "../../base/is-object.js";
import { isAbsent } from "../direction.js";
import { isOneOf } from "../json-equality.js";
import { matchesPattern } from "../pattern.js";
import { charactersPerValue } from "../sample-size.js";
import { all, bound, type Flat, flatten, type Node } from "./flatten.js";
import { sampleNumber } from "./number.js";
import type { SampleOptions } from "./options.js";
import { fitsPlainly, hasType, isAllowed } from "./plain-fit.js";
import { sampleText } from "./text.js";
import { withoutAbsent } from "./without-absent.js";

/** How many values a sample has until it has only what is required. */
const maxOptionalValues = 20_000;
/** How many values a sample may have, with the alternatives that were tried: about a second's work. */
export const maxMadeValues = 100_000;
/** How deep a sample nests. */
const maxDepth = 60;
/** How deep a sample has what is not required. */
const maxOptionalDepth = 20;
/** How often a schema is within itself before what is not required is omitted. */
const maxOptionalTurns = 1;
/** How many samples are tried for a schema whose parts contradict each other. */
const maxAttempts = 4;

/** No value of a schema can be made, because it contains itself or is too large. */
class Endless extends Error {}
/** All that is required takes more values than a sample may have, whichever alternatives are tried. */
class TooLarge extends Endless {}

interface Place {
  readonly depth: number;
  /** Which of several different values is made. */
  readonly nth: number;
  /** The schemas of the values around this one. */
  readonly open: readonly Node[];
  /** Whether the value has what is not required. */
  readonly isFull: boolean;
}

/**
 * Makes a value that fits a schema, the same each time: its own example or default, or the first of its values. Undefined if none is found
 * or it would be too large. A full sample may not fit: a mock responds with it to a schema that nothing fits.
 */
export function sampleOf(schema: unknown, options: SampleOptions): unknown {
  const top = { depth: 0, nth: 0, open: [] };
  let first: unknown;
  for (let nth = 0; nth < maxAttempts; nth++) {
    const isFull = options.isFull && nth < 2;
    try {
      const { sample, isSure } = createSampler(options);
      const made = sample([schema], { ...top, nth, isFull });
      if (!isObject(schema) || isSure() || options.fits(schema, made)) return made;
      if (options.isFull) first ??= made;
    } catch (error) {
      if (!(error instanceof Endless)) throw error;
      if (!isFull || error instanceof TooLarge) return first;
    }
  }
  return first;
}

function createSampler(options: SampleOptions) {
  const { resolve, fits, absent } = options;
  let made = 0;
  /** Whether every value fits by keywords that are quick to check. Compiling a schema takes a thousand times as long. */
  let isSure = true;
  return { sample, isSure: () => isSure };

  function sample(schemas: readonly unknown[], place: Place): unknown {
    made++;
    if (made > maxMadeValues) throw new TooLarge();
    if (place.depth > maxDepth) throw new Endless();
    const flat = flatten(schemas, resolve);
    const value = ofFlat(flat, place);
    isSure &&= schemas.every(isObject) && fitsPlainly(flat, value, options);
    return value;
  }

  function ofFlat(flat: Flat, place: Place): unknown {
    const written = writtenValue(flat, place.nth);
    if (written !== undefined) {
      // What is within it is not made here.
      isSure &&= typeof written.value !== "object" || written.value === null;
      return written.value;
    }
    const [choice, ...others] = flat.alternatives;
    if (choice !== undefined) return ofAlternatives(flat, choice, others, place);
    const conditional = flat.parts.find(({ if: condition }) => isObject(condition));
    if (conditional !== undefined) {
      const { if: _, then, else: other, ...rest } = conditional;
      const without = flat.parts.filter((part) => part !== conditional);
      const variants = [[], [then], [other]].map((more) => [
        ...without.map(alone),
        alone(rest),
        ...more.filter(isObject),
      ]);
      return firstFitting(
        conditional,
        variants.map((schemas) => () => ofFlat(flatten(schemas, resolve), place)),
      );
    }
    return ofType(flat, place);
  }

  /** A part without what it refers to, which is a part of its own. */
  function alone({ $ref: _, allOf: __, ...part }: Node): Node {
    return part;
  }

  function ofAlternatives(
    flat: Flat,
    { owner, schemas, names }: Flat["alternatives"][number],
    others: Flat["alternatives"],
    place: Place,
  ): unknown {
    const rest = flat.parts.map((part) => {
      const { oneOf, anyOf, ...kept } = alone(part);
      const isOpen = (list: unknown) => others.some((one) => one.schemas === list);
      return { ...kept, ...(isOpen(oneOf) ? { oneOf } : {}), ...(isOpen(anyOf) ? { anyOf } : {}) };
    });
    const order = [...schemas.keys()].sort((a, b) => turnsOf(schemas[a], place) - turnsOf(schemas[b], place));
    const rotated = [...order.slice(place.nth % order.length), ...order.slice(0, place.nth % order.length)];
    const make = (at: number, turn: number, isFull: boolean) => {
      const merged = flatten([schemas[at], ...rest], resolve);
      const opened = [...place.open, ...merged.parts.filter((part) => !rest.includes(part))];
      const isTurn = turnsOf(schemas[at], place) > 0;
      const value = ofFlat(merged, { ...place, isFull, nth: place.nth + turn, open: isTurn ? opened : place.open });
      const [property, name] = names.get(at) ?? [];
      return property === undefined || !isObject(value)
        ? value
        : { ...value, [property]: nameIn(merged, property, name, value) };
    };
    // A value that fits several alternatives may be wrong: others are less likely to.
    const variants = [[0, place.isFull] as const, [0, false] as const, [1, false] as const, [10, false] as const];
    return firstFitting(
      owner,
      variants.flatMap(([turn, isFull]) => rotated.map((at) => () => make(at, turn, isFull))),
    );
  }

  /** The value of a discriminator: the one that the schema of the property allows. */
  function nameIn({ properties }: Flat, property: string, name: string | undefined, value: Node): unknown {
    const listed = (properties.get(property) ?? []).flatMap((one) =>
      all(flatten([one], resolve), "enum").concat(all(flatten([one], resolve), "const")),
    );
    return listed.length === 0 ? name : value[property];
  }

  function firstFitting(owner: Node, makers: readonly (() => unknown)[]): unknown {
    let first: { readonly value: unknown } | undefined;
    for (const make of makers) {
      try {
        const value = make();
        if (fits(owner, value)) return value;
        first ??= { value };
      } catch (error) {
        if (!(error instanceof Endless) || error instanceof TooLarge) throw error;
      }
    }
    if (first === undefined) throw new Endless();
    return first.value;
  }

  /** How often the schemas around a place are those of a value within it. */
  function turnsOf(schema: unknown, { open }: Place): number {
    const own = flatten([schema], resolve).parts.filter((part) => !isPlain(part));
    return Math.max(0, ...own.map((part) => open.filter((one) => one === part).length));
  }

  /** What the schema itself says of its values. */
  function writtenValue(flat: Flat, nth: number): { readonly value: unknown } | undefined {
    const [constant] = all(flat, "const");
    if (flat.parts.some((part) => "const" in part)) return { value: constant };
    const [list, ...lists] = all(flat, "enum").filter((one): one is unknown[] => Array.isArray(one) && one.length > 0);
    const allowed = list?.filter((value) => lists.every((other) => isOneOf(value, other)) && hasType(flat, value));
    if (allowed !== undefined && allowed.length > 0) return { value: allowed[nth % allowed.length] };
    if (nth > 0) return undefined;
    for (const part of flat.parts) {
      const examples = Array.isArray(part.examples) ? part.examples : [];
      const candidates = [
        ...examples,
        ...("example" in part ? [part.example] : []),
        ...("default" in part ? [part.default] : []),
      ];
      for (const value of candidates)
        if (value !== undefined && isAllowed(flat, value, options))
          return { value: withoutAbsent([...flat.parts], value, { resolve, absent }) };
    }
    return undefined;
  }

  function ofType(flat: Flat, place: Place): unknown {
    const type = flat.types?.find((one) => one !== "null") ?? flat.types?.[0] ?? impliedType(flat);
    switch (type) {
      case "object":
        return ofObject(flat, place);
      case "array":
        return ofArray(flat, place);
      case "string": {
        const minLength = bound(flat, "minLength", "min") ?? 0;
        if (minLength / charactersPerValue > maxMadeValues - made) throw new Endless();
        made += Math.floor(minLength / charactersPerValue);
        return sampleText(
          {
            patterns: all(flat, "pattern").map(String),
            format:
              all(flat, "format").map(String).at(-1) ??
              (all(flat, "contentEncoding").includes("base64") ? "byte" : undefined),
            minLength,
            maxLength: bound(flat, "maxLength", "max") ?? Number.POSITIVE_INFINITY,
          },
          place.nth,
        );
      }
      case "integer":
      case "number":
        return ofNumber(flat, type === "integer" || all(flat, "type").flat().includes("integer"), place.nth);
      case "boolean":
        return place.nth % 2 === 0;
      default:
        return place.nth === 0 ? null : place.nth;
    }
  }

  function ofNumber(flat: Flat, isInteger: boolean, nth: number): number {
    const [min, above] = [bound(flat, "minimum", "min"), bound(flat, "exclusiveMinimum", "min")];
    const [max, below] = [bound(flat, "maximum", "max"), bound(flat, "exclusiveMaximum", "max")];
    const isMinExcluded = above !== undefined && above >= (min ?? Number.NEGATIVE_INFINITY);
    const isMaxExcluded = below !== undefined && below <= (max ?? Number.POSITIVE_INFINITY);
    return sampleNumber(
      {
        isInteger,
        min: (isMinExcluded ? above : min) ?? Number.NEGATIVE_INFINITY,
        max: (isMaxExcluded ? below : max) ?? Number.POSITIVE_INFINITY,
        ...{ isMinExcluded, isMaxExcluded, multipleOf: bound(flat, "multipleOf", "min") },
      },
      nth,
    );
  }

  function ofArray(flat: Flat, place: Place): unknown[] {
    const items = all(flat, "items");
    const inner = { ...place, depth: place.depth + 1, open: [...place.open, ...flat.parts] };
    const [least, most] = [
      bound(flat, "minItems", "min") ?? 0,
      bound(flat, "maxItems", "max") ?? Number.POSITIVE_INFINITY,
    ];
    if (least > maxMadeValues) throw new Endless();
    const first = all(flat, "prefixItems").find(Array.isArray) ?? [];
    const value: unknown[] = [];
    for (const [contains, count] of containedIn(flat))
      for (let n = 0; n < count; n++) value.push(sample([contains, ...items], { ...inner, nth: place.nth + n }));
    const isUnique = all(flat, "uniqueItems").includes(true);
    const isOptional = place.isFull && items.length > 0 && made < maxOptionalValues && place.depth < maxOptionalDepth;
    const wanted = Math.min(
      Math.max(least, value.length, first.length, isOptional && mayRepeat(items, place) ? 1 : 0),
      most,
    );
    for (let nth = place.nth, tries = 0; value.length < wanted && tries < wanted + 100; tries++, nth++) {
      const at = value.length;
      try {
        const item = sample(at < first.length ? [first[at]] : items, { ...inner, nth: isUnique ? nth : place.nth });
        if (!isUnique || !isOneOf(item, value)) value.push(item);
      } catch (error) {
        if (!(error instanceof Endless) || at >= least) return value;
        throw error;
      }
    }
    return value;
  }

  function containedIn(flat: Flat): (readonly [schema: unknown, count: number])[] {
    return flat.parts.flatMap(({ contains, minContains = 1 }) =>
      contains === undefined || typeof minContains !== "number" ? [] : [[contains, minContains] as const],
    );
  }

  function mayRepeat(schemas: readonly unknown[], place: Place): boolean {
    return schemas.every((schema) => turnsOf(schema, place) < maxOptionalTurns);
  }

  function ofObject(flat: Flat, place: Place): Record<string, unknown> {
    const inner: Place = { ...place, depth: place.depth + 1, open: [...place.open, ...flat.parts] };
    const value: Record<string, unknown> = {};
    const put = (name: string, schemas: readonly unknown[], at: Place = inner) =>
      Object.defineProperty(value, name, {
        value: sample(schemas, at),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    const dependents = all(flat, "dependentRequired").filter(isObject);
    const required = new Set(flat.required);
    for (const [name, schemas] of flat.properties) {
      if (schemas.some((schema) => isAbsent(schema, absent, resolve))) continue;
      if (required.has(name)) put(name, schemas);
      else if (
        place.isFull &&
        made < maxOptionalValues &&
        place.depth < maxOptionalDepth &&
        mayRepeat(schemas, inner)
      ) {
        try {
          put(name, schemas);
        } catch (error) {
          if (!(error instanceof Endless) || error instanceof TooLarge) throw error;
        }
      }
    }
    const needed = [
      ...required,
      ...dependents.flatMap((one) =>
        Object.entries(one).flatMap(([name, others]) => (name in value && Array.isArray(others) ? others : [])),
      ),
    ];
    for (const name of needed) {
      const schemas = flat.properties.get(name) ?? otherSchemas(flat, name);
      if (!Object.hasOwn(value, name) && !schemas.some((schema) => isAbsent(schema, absent, resolve)))
        put(name, schemas);
    }
    const least = bound(flat, "minProperties", "min") ?? 0;
    if (least > maxMadeValues) throw new Endless();
    for (const name of Object.keys(value).length < least ? [...flat.properties.keys()] : [])
      if (Object.keys(value).length < least && !Object.hasOwn(value, name)) put(name, flat.properties.get(name) ?? []);
    const isMap =
      place.isFull &&
      Object.keys(value).length === 0 &&
      least === 0 &&
      made < maxOptionalValues &&
      place.depth < maxOptionalDepth;
    const others = all(flat, "additionalProperties").filter(isObject);
    const extra =
      isMap && others.length > 0 && others.some((one) => Object.keys(one).length > 0) && mayRepeat(others, inner)
        ? 1
        : 0;
    const names = namesOf(flat, Math.max(least - Object.keys(value).length, extra), value, inner);
    for (const [n, name] of names.entries()) put(name, otherSchemas(flat, name), { ...inner, nth: place.nth + n });
    return value;
  }

  /** Names of further members that the schema allows. */
  function namesOf(flat: Flat, count: number, taken: object, place: Place): string[] {
    const names: string[] = [];
    const patterns = all(flat, "patternProperties")
      .filter(isObject)
      .flatMap((one) => Object.keys(one));
    const isClosed = all(flat, "additionalProperties").includes(false);
    const rules = all(flat, "propertyNames").filter(isObject);
    for (let n = 0; names.length < count && n < count * 3 + 10; n++) {
      const limits = { format: undefined, minLength: 0, maxLength: Number.POSITIVE_INFINITY };
      const [pattern] = patterns;
      const name =
        rules.length > 0
          ? String(
              sample([...rules, { type: "string" }, ...(isClosed && pattern !== undefined ? [{ pattern }] : [])], {
                ...place,
                nth: n,
              }),
            )
          : isClosed && pattern !== undefined
            ? sampleText({ ...limits, patterns: [pattern] }, n)
            : `property${n + 1}`;
      if (!Object.hasOwn(taken, name) && !names.includes(name)) names.push(name);
    }
    return names;
  }

  /** The schemas of a member without a property. */
  function otherSchemas(flat: Flat, name: string): unknown[] {
    const matching = all(flat, "patternProperties")
      .filter(isObject)
      .flatMap((one) => Object.entries(one))
      .filter(([pattern]) => matchesPattern(pattern, name))
      .map(([, schema]) => schema);
    return matching.length > 0 ? matching : all(flat, "additionalProperties").filter(isObject);
  }
}

/** Whether a part says nothing of what is within a value. */
function isPlain(part: Node): boolean {
  return ["properties", "items", "oneOf", "anyOf", "additionalProperties", "patternProperties", "prefixItems"].every(
    (key) => part[key] === undefined,
  );
}

function impliedType(flat: Flat): string | undefined {
  const has = (...keywords: readonly string[]) => keywords.some((keyword) => all(flat, keyword).length > 0);
  if (has("properties", "required", "additionalProperties", "patternProperties", "minProperties", "propertyNames"))
    return "object";
  if (has("items", "prefixItems", "contains", "minItems", "uniqueItems")) return "array";
  if (has("pattern", "minLength", "maxLength", "format", "contentEncoding")) return "string";
  return has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf") ? "number" : undefined;
}
