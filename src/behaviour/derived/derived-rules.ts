import type { Resource, ResourceOperation } from "../../contract/rest/resources/find-resources.js";
import type { Rule } from "../../contract/rest/rule.js";

/** What a derived rule says, before it is about a resource. */
export interface DerivedRule {
  readonly text: string;
  /** The standard that states it. */
  readonly source: string;
  /** For a recommendation, the point that no standard decides. */
  readonly gap?: string;
}

/** The rules about resources, by what follows the name of the resource in their ids. `docs/derived.md` lists them. */
export const derivedRules = {
  "created-is-read": {
    text: "What was created is read back under its id, and under `Location`, with the values that were sent.",
    source: "RFC 9110, section 15.3.2",
    gap: "How soon something can be read, and which values a server normalizes",
  },
  listed: {
    text: "What was created is in the list, and filters by a value find it and leave out what has another value.",
    source: "OpenAPI document",
    gap: "How soon something is listed, and how filters compare",
  },
  replaced: {
    text: "After PUT, what was sent is read back, and what was omitted has no longer its former value.",
    source: "RFC 9110, section 9.3.4",
    gap: "Whether PUT takes a part of a representation",
  },
  merged: {
    text: "A merge patch changes what it names, removes what it sets to null, and leaves the rest.",
    source: "RFC 7396, section 2",
  },
  patched: {
    text: "A JSON patch replaces what it names, leaves the rest, and does nothing if one of its operations fails.",
    source: "RFC 6902, section 5",
  },
  changed: {
    text: "PATCH changes what it names and leaves the rest.",
    source: "RFC 5789, section 2",
    gap: "What a patch in plain JSON means",
  },
  removed: {
    text: "What was removed is gone: it is neither read nor listed as before.",
    source: "RFC 9110, section 9.3.5",
    gap: "Whether what was removed can still be read",
  },
  "refused-changes-nothing": {
    text: "A refused request changes nothing.",
    source: "RFC 9110, section 15.5",
    gap: "Whether a refused request may be carried out in part",
  },
  idempotent: {
    text: "A request that is repeated, as PUT or with the same idempotency key, has the effect of one.",
    source: "RFC 9110, section 9.2.2",
    gap: "How long an idempotency key is remembered",
  },
  "not-for-others": {
    text: "What one account made, another neither reads, changes, lists nor removes.",
    source: "RFC 9110, section 15.5.4",
    gap: "Which things are shared between accounts",
  },
  "child-of-parent": {
    text: "Something below one parent is not found below another.",
    source: "RFC 3986, section 1.2.3",
    gap: "Whether a path has to name the right parent",
  },
  concurrent: {
    text: "A change with an `If-Match` that names a former version is refused.",
    source: "RFC 9110, section 13.1.1",
  },
  "login-cookie": {
    text: "The cookie by which requests log in is set with `HttpOnly`.",
    source: "RFC 6265, section 4.1.2.6",
    gap: "Whether scripts may read the cookie of a login",
  },
} satisfies Record<string, DerivedRule>;

/** The kind of a derived rule. */
export type DerivedKind = keyof typeof derivedRules;

/** The names of the headers by which a request can be repeated, and be made on a condition. */
export const idempotencyKey = /^(?:x-)?idempotency-key$/i;
export const ifMatch = /^if-match$/i;

/** Whether an operation takes a merge patch (RFC 7396). */
export function isMergePatch(change: ResourceOperation | undefined): boolean {
  return Object.keys(change?.operation.requestBody?.content ?? {}).some((type) =>
    /^application\/merge-patch\+json\b/i.test(type),
  );
}

/** Whether a body is a JSON patch (RFC 6902). */
export function isJsonPatch({ mediaType }: { readonly mediaType: string }): boolean {
  return /^application\/json-patch\+json\b/i.test(mediaType);
}

/** The id of a derived rule. */
export function derivedRuleId({ name }: Pick<Resource, "name">, kind: DerivedKind): string {
  return `${name}.${kind}`;
}

/** The rule of a kind about a resource. */
export function derivedRule(resource: Pick<Resource, "name">, kind: DerivedKind): Rule {
  const { text, source, gap }: DerivedRule = derivedRules[kind];
  const id = derivedRuleId(resource, kind);
  return { id, text, source, ...(gap === undefined ? {} : { strength: "should", gap }) };
}
