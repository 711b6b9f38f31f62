import { isObject } from "../base/is-object.js";
import { valueAt } from "../contract/json-pointer.js";
import { type Kind, partsOf } from "../contract/rest/reading/parts.js";
import { escapeKey, partsIn } from "../contract/rest/reading/references.js";
import { resolverOf } from "../contract/rest/resolver.js";
import { type AbsentKeyword, absentNames, partsInPlace } from "../schema/direction.js";

type Node = Readonly<Record<string, unknown>>;

/** Where a schema is used; each kind of use may have a type of its own. */
type Use = "request" | "response";

const absentIn: Readonly<Record<Use, AbsentKeyword>> = { request: "readOnly", response: "writeOnly" };

/** The objects that decide in which direction the schemas in them travel. */
const useOf: Partial<Readonly<Record<Kind, Use>>> = {
  parameter: "request",
  requestBody: "request",
  response: "response",
  header: "response",
};

/**
 * Copies a document for openapi-typescript. Schemas of requests lack the `readOnly` properties, those of responses the `writeOnly` ones: a
 * component with such properties that is used in both becomes two, of which that of requests is called `…Request`. Every schema that a
 * reference names is a component, since types of other parts of a document do not compile.
 */
export function typedDocument(document: Node): Node {
  const resolve = resolverOf(document);
  const schemas: Record<string, unknown> = {};
  const names = new Map<string, string>();
  const taken = new Set(Object.keys(componentSchemas(document)));
  const inResponses = reached("response");
  const inRequests = reached("request");
  const split = directed();
  const copied = copy("document", document, "response", new Set());
  const { components, paths } = copied;
  return {
    ...copied,
    ...(isObject(paths) ? { paths: withoutQuery(paths) } : {}),
    components: { ...(isObject(components) ? components : {}), schemas },
  };

  function copy(kind: Kind, node: Node, outer: Use, absent: ReadonlySet<string>): Node {
    const use = useOf[kind] ?? outer;
    if (kind === "schema") return copySchema(node, use, absent);
    if (typeof node.$ref === "string" && !/^#\/components\/\w+\/[^/]+$/.test(node.$ref)) {
      const target = resolve(node.$ref);
      return isObject(target) ? copy(kind, target, use, absent) : node;
    }
    const parts = { ...node, ...copyParts(kind, node, use, absent) };
    if (kind !== "components") return parts;
    for (const name of Object.keys(componentSchemas(document))) {
      const pointer = `/components/schemas/${escapeKey(name)}`;
      nameOf(pointer, inResponses.has(pointer) || !inRequests.has(pointer) ? "response" : "request");
    }
    return parts;
  }

  function copySchema(node: Node, use: Use, outer: ReadonlySet<string>): Node {
    const absent = new Set([...outer, ...absentNames(node, absentIn[use], resolve)]);
    const { properties, required, discriminator, $ref } = node;
    const kept: Record<string, unknown> = { ...node };
    if (isObject(properties)) kept.properties = without(properties, absent);
    if (Array.isArray(required) && absent.size > 0) kept.required = required.filter((name) => !absent.has(name));
    if (typeof $ref === "string") kept.$ref = renamed($ref, use);
    if (isObject(discriminator) && isObject(discriminator.mapping))
      kept.discriminator = {
        ...discriminator,
        mapping: renamedTargets(discriminator.mapping, use),
      };
    // `allOf` describes the same object, other parts of a schema another value.
    const parts = copyParts("schema", { ...kept, allOf: undefined }, use, new Set());
    const { allOf } = node;
    if (!Array.isArray(allOf)) return { ...kept, ...parts };
    const elsewhere = requiredElsewhere(node).filter((name) => !absent.has(name));
    if (elsewhere.length > 0) kept.required = [...new Set([...toList(kept.required), ...elsewhere])];
    return { ...kept, ...parts, allOf: allOf.map((one) => copy("schema", one, use, absent)) };
  }

  /** The properties that one part of an `allOf` requires and only another one describes, of which openapi-typescript makes nothing. */
  function requiredElsewhere(node: Node): readonly string[] {
    const inPlace = partsInPlace(node, resolve);
    const has = (part: Node, name: string) => isObject(part.properties) && Object.hasOwn(part.properties, name);
    return inPlace.flatMap((part) =>
      toList(part.required).filter((name) => !has(part, name) && inPlace.some((one) => has(one, name))),
    );
  }

  function copyParts(kind: Kind, node: Node, use: Use, absent: ReadonlySet<string>): Node {
    const parts = Object.entries(partsOf[kind]).flatMap(([key, [shape, part]]) => {
      const value = Object.hasOwn(node, key) ? node[key] : undefined;
      // Components are copied as they are needed.
      if (typeof value !== "object" || value === null || (kind === "components" && key === "schemas")) return [];
      const one = (inner: unknown) => (isObject(inner) ? copy(part, inner, use, absent) : inner);
      if (shape === "one") return [[key, one(value)]];
      return [[key, Array.isArray(value) ? value.map(one) : mapValues(value as Node, one)]];
    });
    return Object.fromEntries(parts);
  }

  /** The targets of a discriminator that exist. */
  function renamedTargets(mapping: Node, use: Use): Node {
    const entries = Object.entries(mapping).flatMap(([name, target]) => {
      if (typeof target !== "string" || !target.startsWith("#")) return [[name, target]];
      return valueAt(document, target) === undefined ? [] : [[name, renamed(target, use)]];
    });
    return Object.fromEntries(entries);
  }

  function renamed(ref: string, use: Use): string {
    const pointer = ref.slice(1);
    return valueAt(document, pointer) === undefined ? ref : `#/components/schemas/${escapeKey(nameOf(pointer, use))}`;
  }

  /** The name of the component for the schema at a JSON pointer, which is made when it is first asked for. */
  function nameOf(pointer: string, use: Use): string {
    const isSplit = split.has(pointer) && inResponses.has(pointer) && inRequests.has(pointer);
    const key = isSplit ? `${use} ${pointer}` : pointer;
    const known = names.get(key);
    if (known !== undefined) return known;
    const [, own] = /^\/components\/schemas\/([^/]+)$/.exec(pointer) ?? [];
    const base = own === undefined ? lastName(pointer) : own.replaceAll("~1", "/").replaceAll("~0", "~");
    const isOwn = own !== undefined && !(isSplit && use === "request");
    const name = isOwn ? base : free(isSplit && use === "request" ? `${base}Request` : base);
    names.set(key, name);
    const given = valueAt(document, pointer);
    const only = inResponses.has(pointer) || !inRequests.has(pointer) ? "response" : "request";
    schemas[name] = isObject(given) ? copySchema(given, isSplit ? use : only, new Set()) : given;
    return name;
  }

  function free(base: string): string {
    let name = base;
    for (let count = 2; taken.has(name); count++) name = `${base}${count}`;
    taken.add(name);
    return name;
  }

  /** The JSON pointers of the schemas to which references of one use lead. */
  function reached(wanted: Use): ReadonlySet<string> {
    const found = new Set<string>();
    const visit = (kind: Kind, node: unknown, use: Use | undefined): void => {
      if (!isObject(node)) return;
      const own = useOf[kind] ?? use;
      if (kind === "schema" && own !== wanted) return;
      const pointer = typeof node.$ref === "string" ? node.$ref.slice(1) : undefined;
      if (pointer !== undefined && !(kind === "schema" && found.has(pointer))) {
        if (kind === "schema") found.add(pointer);
        visit(kind, valueAt(document, pointer), own);
      }
      const parts = kind === "components" ? { ...node, schemas: undefined } : node;
      for (const [part, inner] of partsIn(kind, parts, "")) visit(part, inner, own);
    };
    visit("document", document, undefined);
    return found;
  }

  /** The JSON pointers of the schemas that differ between requests and responses, by their own properties or those that they lead to. */
  function directed(): ReadonlySet<string> {
    const users = new Map<string, string[]>();
    const found = new Set<string>();
    const own = Object.keys(componentSchemas(document)).map((name) => `/components/schemas/${escapeKey(name)}`);
    for (const pointer of new Set([...own, ...inResponses, ...inRequests])) {
      const visit = (node: unknown): void => {
        if (!isObject(node)) return;
        const isDirected = [absentIn.request, absentIn.response].some(
          (one) => absentNames(node, one, resolve).size > 0,
        );
        if (isDirected) found.add(pointer);
        if (typeof node.$ref === "string") users.set(node.$ref, [...(users.get(node.$ref) ?? []), pointer]);
        for (const [, inner] of partsIn("schema", node, "")) visit(inner);
      };
      visit(valueAt(document, pointer));
    }
    // A set also visits what is added meanwhile.
    for (const pointer of found) for (const user of users.get(`#${pointer}`) ?? []) found.add(user);
    return found;
  }
}

/** openapi-typescript lacks the method `query` of OpenAPI 3.2. The types of operations, all that clients and servers use, name no method. */
function withoutQuery(paths: Node): Node {
  const items = Object.entries(paths).flatMap(([path, item]) => {
    if (!isObject(item) || item.query === undefined) return [[path, item]];
    const { query, ...others } = item;
    return [
      [path, others],
      [`${path}#query`, { post: query }],
    ];
  });
  return Object.fromEntries(items);
}

function componentSchemas({ components }: Node): Node {
  return isObject(components) && isObject(components.schemas) ? components.schemas : {};
}

/** A name from the last part of a JSON pointer that can be one. */
function lastName(pointer: string): string {
  const words = pointer.split("/").filter((part) => /^[A-Za-z][\w.-]*$/.test(part) && part !== "schema");
  return words.at(-1) ?? "Schema";
}

function toList(names: unknown): readonly string[] {
  return Array.isArray(names) ? names : [];
}

function without(properties: Node, absent: ReadonlySet<string>): Node {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !absent.has(name)));
}

function mapValues(values: Node, change: (value: unknown) => unknown): Node {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
