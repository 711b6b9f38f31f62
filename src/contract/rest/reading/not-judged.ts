import type { BaseResolver, Document } from "@redocly/openapi-core";
import { isObject } from "../../../base/is-object.js";
import { valueAt } from "../../json-pointer.js";
import { shownPath } from "../../shown-path.js";
import { methods, type NotJudged } from "../document.js";
import { escapeKey } from "./references.js";
import type { Spot } from "./usable-parts.js";

/** How many operations a message names. */
const maxNamedOperations = 3;

/** Says where the parts are that cannot be used, and which operations they concern. */
export async function describeSpots(
  spots: readonly Spot[],
  document: Readonly<Record<string, unknown>>,
  reader: BaseResolver,
): Promise<NotJudged[]> {
  if (spots.length === 0) return [];
  const { getLineColLocation } = await import("@redocly/openapi-core");
  const { origins, root } = await readOrigins(reader);
  const operationsAt = operationsByPointer(document);
  return spots.map(({ pointer, trail, key, text }) => {
    const operations = operationsAt(pointer);
    const named = operations.slice(0, maxNamedOperations).join(", ");
    const more = operations.length > maxNamedOperations ? ` and ${operations.length - maxNamedOperations} more` : "";
    const concerned = operations.length === 0 ? "" : ` (of ${named}${more})`;
    const said = `\`${key}\` ${text}, so it is not judged${concerned}`;
    const known = [...trail].reverse().findIndex((node) => origins.has(node));
    const read = known < 0 ? undefined : origins.get(trail[trail.length - 1 - known] as object);
    const origin = read ?? (root && { ...root, pointer: closestPointer(root.parsed, pointer) });
    if (origin === undefined) return { key, text: said };
    const at = known === 0 && read !== undefined ? `${origin.pointer}/${escapeKey(key)}` : origin.pointer;
    const { line, col } = getLineColLocation({ source: origin.source, pointer: `#${at}`, reportOnKey: true }).start;
    return { file: shownPath(origin.source.absoluteRef), line, column: col, key, text: said };
  });
}

interface Origin {
  readonly source: Document["source"];
  readonly pointer: string;
}

/** Where each object of the files was read, and the first of the files. */
async function readOrigins(
  reader: BaseResolver,
): Promise<{ readonly origins: ReadonlyMap<object, Origin>; readonly root: Document | undefined }> {
  const origins = new Map<object, Origin>();
  const settled = await Promise.allSettled([...reader.cache.values()]);
  const files = settled.flatMap((one) => (one.status === "fulfilled" && "parsed" in one.value ? one.value : []));
  for (const { source, parsed } of files) {
    const visit = (node: unknown, pointer: string): void => {
      if (typeof node !== "object" || node === null || origins.has(node)) return;
      origins.set(node, { source, pointer });
      for (const [key, value] of Object.entries(node)) visit(value, `${pointer}/${escapeKey(key)}`);
    };
    visit(parsed, "");
  }
  return { origins, root: files[0] };
}

/** The closest place in a file to a JSON pointer into what Swagger 2.0 in it was converted to. */
function closestPointer(parsed: unknown, pointer: string): string {
  const isConverted = valueAt(parsed, "/swagger") !== undefined;
  let at = isConverted
    ? pointer.replace(/^\/components\/schemas\//, "/definitions/").replace(/^\/components/, "")
    : pointer;
  while (at !== "" && valueAt(parsed, at) === undefined) at = at.slice(0, at.lastIndexOf("/"));
  return at;
}

/** Returns which operations use the part at a JSON pointer, as method and path. */
function operationsByPointer(document: Readonly<Record<string, unknown>>): (pointer: string) => string[] {
  const refs = new Map<string, readonly string[]>();
  const { paths } = document;
  const operations = Object.entries(isObject(paths) ? paths : {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = isObject(item) ? item[method] : undefined;
      const own = [`/paths/${escapeKey(path)}/${method}`, `/paths/${escapeKey(path)}/parameters`];
      return operation === undefined
        ? []
        : [{ name: `${method.toUpperCase()} ${path}`, own, reached: reach(operation) }];
    }),
  );
  return (pointer) => {
    const component = pointer.split("/").slice(0, 4).join("/");
    return operations
      .filter(({ own, reached }) => reached.has(component) || own.some((one) => `${pointer}/`.startsWith(`${one}/`)))
      .map(({ name }) => name);
  };

  /** The components that an object leads to. */
  function reach(node: unknown): ReadonlySet<string> {
    const found = new Set(referencesIn(node));
    // A set also visits what is added meanwhile.
    for (const one of found) for (const next of refsOf(one)) found.add(next);
    return found;
  }

  function refsOf(component: string): readonly string[] {
    const [, , section = "", name = ""] = component.split("/");
    const { components } = document;
    const sections = isObject(components) ? components[section] : undefined;
    const known =
      refs.get(component) ??
      referencesIn(isObject(sections) ? sections[name.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined);
    refs.set(component, known);
    return known;
  }
}

function referencesIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const { $ref } = node as { readonly $ref?: unknown };
  const own =
    typeof $ref === "string" && $ref.startsWith("#/components/")
      ? [$ref.slice(1).split("/").slice(0, 4).join("/")]
      : [];
  return [...own, ...Object.values(node).flatMap(referencesIn)];
}
