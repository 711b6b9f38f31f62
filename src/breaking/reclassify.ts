import { isObject } from "../base/is-object.js";
import { pointerKeys, valueAt } from "../contract/json-pointer.js";
import type { ContractDocument } from "../contract/rest/document.js";
import { greater, type Impact } from "./impact.js";
import { createSides, type Side } from "./sides.js";

/** A change that `redocly diff` found. */
export interface FoundChange {
  /** A JSON pointer. */
  readonly path: string;
  readonly impact: Impact;
  readonly property?: string;
}

/** A change with what a rule needs to know of it. */
interface KnownChange extends FoundChange {
  readonly keys: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
  /** Whether requests or responses have it. */
  readonly has: (side: Side) => boolean;
}

/** Members that say nothing to a program. */
const annotation = /^(?:\$comment|description|examples?|externalDocs|info|summary|tags|title|x-.*)$/;

/** What weighs more than the diff says. The names are stable. */
const raised: Readonly<Record<string, (change: KnownChange) => Impact | undefined>> = {
  "request-body-added": ({ keys, property, after }) =>
    keys.at(-1) === "requestBody" && property === undefined && isObject(after) && after.required === true
      ? "major"
      : undefined,
  "response-header-optional": ({ keys, property, before }) =>
    keys.includes("headers") && keys.includes("responses") && property === "required" && before === true
      ? "major"
      : undefined,
  discriminator: (change) => (change.keys.includes("discriminator") ? additionOr("major", change) : undefined),
  "form-encoding": ({ keys }) => (keys.includes("encoding") ? "major" : undefined),
  "parameter-default": (change) =>
    change.keys.includes("parameters") && change.property === "default" ? additionOr("major", change) : undefined,
  "request-property-removed": ({ keys, after, has, property }) =>
    property === undefined && keys.at(-2) === "properties" && after === undefined && has("request")
      ? "major"
      : undefined,
  // It is no longer sent in that direction, as if it were removed.
  "direction-changed": ({ property, after, has }) =>
    after === true && ((property === "readOnly" && has("request")) || (property === "writeOnly" && has("response")))
      ? "major"
      : undefined,
  // Deprecations and wider bounds are news to users, unlike descriptions.
  addition: ({ impact, keys, property }) =>
    impact === "none" || [...keys, property ?? ""].some((key) => annotation.test(key)) ? undefined : "minor",
};

function additionOr(impact: Impact, { before, after }: KnownChange): Impact {
  return before === undefined && after !== undefined ? "minor" : impact;
}

/** Whether an error status was removed: clients that expect it lose nothing. */
function isRemovedError({ keys, after }: KnownChange): boolean {
  return keys.at(-2) === "responses" && /^[45]/.test(keys.at(-1) ?? "") && after === undefined;
}

/** The impact of a change, and the name of what decided it, if that is a rule of ours. */
export interface Reclassification {
  readonly impact: Impact;
  readonly rule?: string;
}

/** Returns a function that judges a change, which the diff of two documents found. */
export function createJudge(
  base: ContractDocument,
  revision: ContractDocument,
): (change: FoundChange) => Reclassification {
  const [before, after] = [createSides(base), createSides(revision)];
  return (change) => {
    const { path, property, impact } = change;
    const valueIn = (document: ContractDocument) => {
      const found = valueAt(document, path);
      return property === undefined ? found : isObject(found) ? found[property] : undefined;
    };
    const keys = pointerKeys(path);
    const known: KnownChange = {
      ...{ ...change, keys, before: valueIn(base), after: valueIn(revision) },
      has: (side) => before(keys, side) || after(keys, side),
    };
    if (isRemovedError(known)) return { impact: "minor", rule: "error-status-removed" };
    return Object.entries(raised).reduce<Reclassification>(
      (most, [rule, judge]) => {
        const own = judge(known) ?? "none";
        return greater(most.impact, own) === most.impact ? most : { impact: own, rule };
      },
      { impact },
    );
  };
}
