import type { ContractDocument, Method, OperationObject } from "../document.js";
import { listOperations, parametersOf } from "../operations.js";
import { requestBodyOf } from "../request-body.js";
import { kebab, memberFor, plainName, singular } from "./names.js";
import { type Described, findList, findThing, type Listed, plainType, type Success, successOf } from "./shapes.js";

/** An operation on a thing, or on all of a kind. */
export interface ResourceOperation {
  readonly method: Method;
  readonly path: string;
  readonly operation: OperationObject;
  readonly success: Success;
}

/** Where the identity of a new thing is: in the response, or in what was sent. */
export type Identity =
  | { readonly kind: "body"; readonly at: string }
  | { readonly kind: "location" }
  | { readonly kind: "sent"; readonly field: string };

/** Things of one kind, with the operations that make, list, read, replace, change and remove them. */
export interface Resource {
  /** The name in rules and workflows, such as `pets`. */
  readonly name: string;
  /** The path of all, such as `/pets`. */
  readonly path: string;
  /** The path of one, such as `/pets/{petId}`, and its last parameter. Undefined if no path leads to one. */
  readonly itemPath?: string;
  readonly parameter?: string;
  readonly create?: ResourceOperation & {
    readonly identity: Identity | undefined;
    readonly thing: Described | undefined;
  };
  readonly list?: ResourceOperation & { readonly listed: Listed };
  readonly read?: ResourceOperation & { readonly thing: Described | undefined };
  readonly replace?: ResourceOperation;
  readonly change?: ResourceOperation;
  readonly remove?: ResourceOperation;
  /** Why these belong together, a sentence each. */
  readonly reasons: readonly string[];
}

/** Finds the resources of a contract, parents before children. */
export function findResources(document: ContractDocument): Resource[] {
  const byPath = new Map<string, ResourceOperation[]>();
  for (const { path, method, operation } of listOperations(document)) {
    const own = byPath.get(path) ?? [];
    byPath.set(path, [...own, { method, path, operation, success: successOf(document, operation) }]);
  }
  const collections = new Map([...byPath.keys()].map((path) => [keyOf(path), path]));
  const items = [...byPath.keys()].flatMap((path) => {
    const [, parent = "", parameter = ""] = /^(.*)\/\{([^{}]+)\}$/.exec(path) ?? [];
    return parameter === "" ? [] : [{ path, parent, parameter }];
  });
  const found = items.flatMap(({ path, parent, parameter }) => {
    const collection = collections.get(keyOf(parent));
    return readResource(document, collection ?? parent, path, parameter, {
      ofAll: byPath.get(collection ?? "") ?? [],
      ofOne: byPath.get(path) ?? [],
    });
  });
  const taken = new Set(found.map(({ path }) => path));
  // What can only be made may still be repeatable.
  const others = [...byPath].flatMap(([path, operations]) => {
    const post = operations.find(({ method }) => method === "post");
    if (post === undefined || taken.has(path) || /\}$/.test(path)) return [];
    const create = { ...post, identity: undefined, thing: undefined };
    return [{ name: "", path, create, reasons: [] }];
  });
  return named([...found, ...others]).sort((one, other) => depthOf(one) - depthOf(other));
}

/** A path by which `/silence` and `/silences` are the same. */
function keyOf(path: string): string {
  const parts = path.replace(/\{[^{}]+\}/g, "{}").split("/");
  return [...parts.slice(0, -1), plainName(singular(parts.at(-1) ?? ""))].join("/");
}

function depthOf({ path }: Resource): number {
  return path.split("/").length;
}

function readResource(
  document: ContractDocument,
  path: string,
  itemPath: string,
  parameter: string,
  { ofAll, ofOne }: { readonly ofAll: readonly ResourceOperation[]; readonly ofOne: readonly ResourceOperation[] },
): Resource[] {
  const noun = path.split("/").findLast((part) => part !== "" && !part.startsWith("{")) ?? "";
  const thingIn = ({ success }: ResourceOperation) => findThing(document, success.schema, parameter, noun);
  const [post, get] = [ofAll.find(({ method }) => method === "post"), ofAll.find(({ method }) => method === "get")];
  const byMethod = (method: Method) => ofOne.find((one) => one.method === method);
  const [read, replace, change, remove] = [byMethod("get"), byMethod("put"), byMethod("patch"), byMethod("delete")];
  const listed = get && findList(document, get.success.schema, parameter, noun);
  const own = ofOne.map(({ operation }) => operation.operationId);
  const identity = post && identityOf(document, post, { parameter, noun, own });
  const reasons = [
    ...(identity === undefined || post === undefined
      ? []
      : [`${title(post)} makes one: ${identityText(identity, parameter)}`]),
    ...(get === undefined || listed === undefined
      ? []
      : [`${title(get)} lists them${listed.at === "" ? "" : ` in ${listed.at}`}`]),
    ...[read && `${title(read)} reads one`, replace && `${title(replace)} replaces it`].filter(
      (one) => one !== undefined,
    ),
    ...[change && `${title(change)} changes it`, remove && `${title(remove)} removes it`].filter(
      (one) => one !== undefined,
    ),
  ];
  const isAlone = (post === undefined || identity === undefined) && (get === undefined || listed === undefined);
  if (isAlone) return [];
  return [
    {
      ...{ name: "", path, itemPath, parameter, reasons },
      ...(post === undefined || identity === undefined ? {} : { create: { ...post, identity, thing: thingIn(post) } }),
      ...(get === undefined || listed === undefined ? {} : { list: { ...get, listed } }),
      ...(read === undefined ? {} : { read: { ...read, thing: thingIn(read) } }),
      ...(replace === undefined ? {} : { replace }),
      ...(change === undefined ? {} : { change }),
      ...(remove === undefined ? {} : { remove }),
    },
  ];
}

/** Where the identity of what an operation makes is: as its links say, in the body, behind `Location`, or in the request. */
function identityOf(
  document: ContractDocument,
  { success, operation }: ResourceOperation,
  { parameter, noun, own }: { readonly parameter: string; readonly noun: string; readonly own: readonly string[] },
): Identity | undefined {
  const linked = Object.values(success.links).find(({ operationId = "" }) => own.includes(operationId));
  const [, at] = /^\$response\.body#(\/.*)$/.exec(String(linked?.parameters?.[parameter])) ?? [];
  if (at !== undefined) return { kind: "body", at };
  const thing = findThing(document, success.schema, parameter, noun);
  if (thing !== undefined)
    return { kind: "body", at: `${thing.at}/${thing.key.replaceAll("~", "~0").replaceAll("/", "~1")}` };
  if (["string", "integer"].includes(plainType(document, success.schema) ?? "")) return { kind: "body", at: "" };
  if (success.headers.some((name) => name.toLowerCase() === "location")) return { kind: "location" };
  const fields = requestBodyOf(document, operation)?.fields.filter(({ field }) => field !== undefined) ?? [];
  const field = memberFor(
    parameter,
    noun,
    fields.map(({ name }) => name),
  );
  if (field !== undefined) return { kind: "sent", field };
  return success.isText ? { kind: "body", at: "" } : undefined;
}

function identityText(identity: Identity, parameter: string): string {
  switch (identity.kind) {
    case "body":
      return `${identity.at === "" ? "the text" : identity.at} of the response is its \`${parameter}\``;
    case "location":
      return `\`Location\` leads to it, and ends with its \`${parameter}\``;
    case "sent":
      return `\`${identity.field}\` of the request is its \`${parameter}\``;
  }
}

/** An operation as texts name it, such as `GET /pets/{petId}`. */
export function title({ method, path }: Pick<ResourceOperation, "method" | "path">): string {
  return `${method.toUpperCase()} ${path}`;
}

/** How many words of a path may be in a name. */
const wordsOfName = 6;

/** Names each after the last word of its path, or as many as make it unique. */
function named(resources: readonly Resource[]): Resource[] {
  const nameAt = ({ path }: Resource, count: number) => {
    const words = path.split("/").filter((part) => part !== "" && !part.startsWith("{"));
    return kebab(words.slice(-count).join("-")) || "root";
  };
  // Counted once: to compare each with each takes a minute for thousands.
  const sharing = Array.from({ length: wordsOfName }, (_, index) =>
    countOf(resources, (one) => nameAt(one, index + 1)),
  );
  const seen = new Set<string>();
  return resources.map((resource) => {
    const isShared = (count: number) => (sharing[count - 1]?.get(nameAt(resource, count)) ?? 0) > 1;
    let count = 1;
    while (count < wordsOfName && isShared(count)) count++;
    let name = nameAt(resource, count);
    for (let number = 2; seen.has(name); number++) name = `${nameAt(resource, count)}-${number}`;
    seen.add(name);
    return { ...resource, name };
  });
}

function countOf<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

/** The header parameter of an operation that matches a pattern. */
export function headerOf(
  document: ContractDocument,
  { operation }: ResourceOperation,
  pattern: RegExp,
): string | undefined {
  return parametersOf(document, operation).find((one) => one.in === "header" && pattern.test(one.name))?.name;
}
