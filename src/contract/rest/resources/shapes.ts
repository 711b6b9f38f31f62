import { leavesOf } from "../alternatives.js";
import { type ContractDocument, type OperationObject, type ResponseObject, resolve, type Schema } from "../document.js";
import { type Shape, shapeOf } from "../request-body.js";
import { isJson } from "../response-schemas.js";
import { memberFor } from "./names.js";

/** A documented success of an operation. */
export interface Success {
  readonly statuses: readonly number[];
  readonly headers: readonly string[];
  /** The schema of its JSON. Undefined without any. */
  readonly schema?: Schema;
  /** Whether its body is a plain text. */
  readonly isText: boolean;
  readonly links: Readonly<Record<string, { operationId?: string; parameters?: Record<string, unknown> }>>;
}

/** The successes that an operation documents, but for 202 (RFC 9110, section 15.3.3), which says that nothing is done yet. */
export function successOf(document: ContractDocument, { responses }: OperationObject): Success {
  const keys = Object.keys(responses).filter((key) => /^2(?:\d\d|XX)$/.test(key) && key !== "202");
  const known = keys.length === 0 && "default" in responses ? ["default"] : keys;
  const found = known.map((key) =>
    resolve<Partial<ResponseObject & Pick<Success, "links">>>(document, responses[key] ?? {}),
  );
  const media = found.flatMap(({ content = {} }) => Object.entries(content));
  const schema = media.find(([type, one]) => isJson(type) && one.schema !== undefined)?.[1].schema;
  const statuses = keys.flatMap((key) => (key === "2XX" ? [200, 201] : Number(key)));
  return {
    statuses: statuses.length === 0 ? [200, 201, 204] : statuses,
    headers: found.flatMap(({ headers = {} }) => Object.keys(headers)),
    ...(schema === undefined ? {} : { schema: resolve<Schema>(document, schema) }),
    isText: schema === undefined && media.some(([type]) => /^text\/plain\b/i.test(type)),
    links: Object.assign({}, ...found.map(({ links = {} }) => links)),
  };
}

/** A schema without the alternative that is null. Undefined if there are several others. */
export function plainSchema(document: ContractDocument, given: Schema | undefined): Schema | undefined {
  const leaves = leavesOf(document, given ?? {}).filter(({ type }) => type !== "null");
  return leaves.length === 1 ? leaves[0] : undefined;
}

/** The type of what a schema describes, if it has one besides null. */
export function plainType(document: ContractDocument, given: Schema | undefined): string | undefined {
  const types = [plainSchema(document, given)?.type ?? []].flat().filter((type) => type !== "null");
  return types.length === 1 ? types[0] : undefined;
}

/** The members of an object. Undefined if a schema describes none. */
export function membersOf(document: ContractDocument, given: Schema | undefined): Shape | undefined {
  const schema = plainSchema(document, given);
  return schema === undefined ? undefined : shapeOf(document, schema);
}

/** The part of a body that describes one thing, and the member that identifies it. */
export interface Described {
  /** A JSON pointer to the thing. */
  readonly at: string;
  readonly shape: Shape;
  /** The name of the identifying member. */
  readonly key: string;
}

/** Finds what a body says of a thing: the whole body, or a member of its envelope. */
export function findThing(
  document: ContractDocument,
  schema: Schema | undefined,
  parameter: string,
  noun: string,
): Described | undefined {
  const shape = membersOf(document, schema);
  if (shape === undefined) return undefined;
  const key = memberFor(parameter, noun, Object.keys(shape.properties));
  if (key !== undefined) return { at: "", shape, key };
  for (const [name, inner] of Object.entries(shape.properties)) {
    const below = membersOf(document, inner);
    const own = below && memberFor(parameter, noun, Object.keys(below.properties));
    if (below !== undefined && own !== undefined) return { at: `/${escapeKey(name)}`, shape: below, key: own };
  }
  return undefined;
}

/** Where a body lists things. */
export interface Listed {
  /** A JSON pointer to the list. */
  readonly at: string;
  /** A JSON pointer from an entry to what identifies it: empty if the entry itself does. */
  readonly key: string;
  /** The members of an entry. Undefined if it is a text or a number. */
  readonly shape?: Shape;
}

/** Finds the list in a body: the whole body, or the only member that is a list of such things. */
export function findList(
  document: ContractDocument,
  schema: Schema | undefined,
  parameter: string,
  noun: string,
): Listed | undefined {
  const entryOf = (list: Schema | undefined): Omit<Listed, "at"> | undefined => {
    if (plainType(document, list) !== "array") return undefined;
    const items = plainSchema(document, list?.items);
    if (["string", "integer"].includes(plainType(document, items) ?? "")) return { key: "" };
    const thing = findThing(document, items, parameter, noun);
    return thing?.at === "" ? { key: `/${escapeKey(thing.key)}`, shape: thing.shape } : undefined;
  };
  const whole = entryOf(plainSchema(document, schema));
  if (whole !== undefined) return { at: "", ...whole };
  const members = Object.entries(membersOf(document, schema)?.properties ?? {});
  const lists = members.flatMap(([name, inner]) => {
    const entry = entryOf(plainSchema(document, inner));
    return entry?.shape === undefined ? [] : [{ at: `/${escapeKey(name)}`, ...entry }];
  });
  return lists.length === 1 ? lists[0] : undefined;
}

/** A key as a part of a JSON pointer (RFC 6901, section 3). */
export function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
