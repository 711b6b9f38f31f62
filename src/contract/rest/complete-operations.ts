import {
  type ContractDocument,
  type Method,
  methods,
  type OperationObject,
  type ParameterObject,
  resolve,
} from "./document.js";

type PathItem = { readonly parameters?: readonly Parameter[] } & Partial<Record<Method, OperationObject>>;
type Parameter = ParameterObject | { $ref: string };

/**
 * Completes a document as the engine reads it: every operation has an id, a summary, tags, a feature, and the parameters of its path, and
 * its request body, its responses' headers and all examples are in place. Parameters, responses and schemas stay references.
 */
export function completeOperations(document: Readonly<Record<string, unknown>>): ContractDocument {
  const { paths = {}, components } = document as unknown as Partial<ContractDocument>;
  const given = Object.entries(paths as Record<string, PathItem | { $ref: string }>);
  const items = given.map(([path, item]) => [path, resolve<PathItem>(document, item)] as const);
  // An id that an earlier operation has, or that every object has, such as `constructor`, would stand for something else.
  const owners = new Map<string, string>(objectMembers.map((id) => [id, ""]));
  for (const [path, item] of items)
    for (const method of methods) {
      const id = item[method]?.operationId;
      if (id !== undefined && !owners.has(id)) owners.set(id, `${method} ${path}`);
    }
  const taken = new Set(owners.keys());
  const completed = items.map(([path, { parameters = [], ...item }]) => {
    const operations = methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      return [[method, completeOperation(document, operation, { path, method, parameters, taken, owners })]];
    });
    return [path, Object.fromEntries(operations)];
  });
  return {
    ...(document as unknown as ContractDocument),
    paths: Object.fromEntries(completed),
    components: { ...components, schemas: components?.schemas ?? {} },
  };
}

interface Place {
  readonly path: string;
  readonly method: Method;
  readonly parameters: readonly Parameter[];
  readonly taken: Set<string>;
  /** Which operation has an id, as method and path. */
  readonly owners: ReadonlyMap<string, string>;
}

const objectMembers = Object.getOwnPropertyNames(Object.prototype);

function completeOperation(
  document: object,
  operation: OperationObject,
  { path, method, parameters, taken, owners }: Place,
): OperationObject {
  const { operationId: stated, requestBody } = operation;
  const isOwn = typeof stated === "string" && owners.get(stated) === `${method} ${path}`;
  const operationId = isOwn ? stated : freeId(method, path, taken);
  const body = requestBody && resolve<NonNullable<typeof requestBody>>(document, requestBody);
  return {
    ...operation,
    operationId,
    summary: operation.summary ?? `${method.toUpperCase()} ${path}`,
    tags: operation.tags ?? [],
    "x-feature": operation["x-feature"] ?? operationId,
    parameters: withUndeclared(document, path, mergeParameters(document, parameters, operation.parameters ?? [])),
    ...(body === undefined ? {} : { requestBody: withSchemas(inlined(document, body)) }),
    responses: Object.fromEntries(
      Object.entries(operation.responses ?? {}).map(([status, response]) => [
        status,
        "$ref" in response ? response : inlined(document, response),
      ]),
    ),
  };
}

/** Puts referenced examples and headers of a body or response in their places. */
function inlined<Holder extends { content?: Record<string, unknown>; headers?: Record<string, unknown> }>(
  document: object,
  holder: Holder,
): Holder {
  const { content, headers } = holder;
  const media = Object.entries((content ?? {}) as Record<string, { examples?: Record<string, object> }>).map(
    ([type, { examples, ...rest }]) => [
      type,
      examples === undefined ? rest : { ...rest, examples: mapValues(examples, (one) => resolve(document, one)) },
    ],
  );
  return {
    ...holder,
    ...(content === undefined ? {} : { content: Object.fromEntries(media) }),
    ...(headers === undefined ? {} : { headers: mapValues(headers, (one) => resolve(document, one as object)) }),
  };
}

/** Gives the media types of a body that have no schema one that allows everything. */
function withSchemas(body: NonNullable<OperationObject["requestBody"]>): NonNullable<OperationObject["requestBody"]> {
  return { ...body, content: mapValues({ ...body.content }, (media) => ({ ...media, schema: media.schema ?? {} })) };
}

function mapValues<Value, Mapped>(
  values: Record<string, Value>,
  change: (value: Value) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/** Headers that OpenAPI describes elsewhere, so that parameters of these names do not count (OpenAPI 3.1, "Parameter Object"). */
const describedElsewhere: ReadonlySet<string> = new Set([
  "header accept",
  "header authorization",
  "header content-type",
]);

/** The parameters of a path and of its operation, which override those of the path with the same name and place. */
function mergeParameters(document: object, common: readonly Parameter[], own: readonly Parameter[]): Parameter[] {
  const keyOf = (parameter: Parameter) => {
    const { name, in: place } = resolve<ParameterObject>(document, parameter);
    return `${place} ${place === "header" ? name.toLowerCase() : name}`;
  };
  const overridden = new Set(own.map(keyOf));
  const merged = [...common.filter((parameter) => !overridden.has(keyOf(parameter))), ...own];
  return merged.filter((parameter) => !describedElsewhere.has(keyOf(parameter)));
}

/** Adds the parameters that only the template of the path names. */
function withUndeclared(document: object, path: string, parameters: readonly Parameter[]): Parameter[] {
  const declared = new Set(
    parameters
      .map((parameter) => resolve<ParameterObject>(document, parameter))
      .flatMap((one) => (one.in === "path" ? one.name : [])),
  );
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].flatMap(([, name = ""]) => (declared.has(name) ? [] : name));
  const added = [...new Set(names)].map(
    (name): ParameterObject => ({ name, in: "path", required: true, schema: { type: "string" } }),
  );
  return [...added, ...parameters];
}

/** An id for an operation that has none, such as `getPetsById` for `GET /pets/{id}`. */
function freeId(method: Method, path: string, taken: Set<string>): string {
  const words = path.split("/").flatMap((part) => {
    const [first, ...rest] = part.match(/[A-Za-z0-9]+/g) ?? [];
    return first === undefined ? [] : [...(part.startsWith("{") ? ["by"] : []), first, ...rest];
  });
  const name = method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  let id = name;
  for (let count = 2; taken.has(id); count++) id = `${name}${count}`;
  taken.add(id);
  return id;
}
