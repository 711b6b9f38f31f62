type Node = Readonly<Record<string, unknown>>;

/**
 * Returns a Swagger 2.0 document as OpenAPI 3.0, and any other document as it is. Source: Swagger 2.0, "Parameter Object". Rejects with the
 * error of the import if the optional package `@scalar/openapi-upgrader` is not installed.
 */
export async function convertSwagger(document: Node): Promise<Node> {
  if (document.swagger !== "2.0") return document;
  const { upgradeFromTwoToThree } = await import("@scalar/openapi-upgrader/2.0-to-3.0");
  const { parameters: _, ...rest } = document;
  const paths = mapValues(objectOf(document.paths), (item) => withOwnParameters(item, document));
  return upgradeFromTwoToThree(withSchemasOfThree({ ...rest, paths }));
}

const methods: ReadonlySet<string> = new Set(["delete", "get", "head", "options", "patch", "post", "put"]);

/**
 * Writes all parameters of a path into its operations, and forms as bodies: the converter keeps references to bodies where OpenAPI 3 has
 * none, and loses the items of arrays in forms.
 */
function withOwnParameters(item: Node, document: Node): Node {
  const { parameters: shared, ...others } = item;
  return Object.fromEntries(
    Object.entries(others).map(([method, value]) => {
      if (!methods.has(method)) return [method, value];
      const operation = objectOf(value);
      const own = listOf(operation.parameters).map((one) => inlined(one, document));
      const inherited = listOf(shared)
        .map((one) => inlined(one, document))
        .filter(({ in: place, name }) => !own.some((one) => one.in === place && one.name === name));
      return [method, withFormAsBody({ ...operation, parameters: [...inherited, ...own] }, document)];
    }),
  );
}

function inlined(parameter: Node, { parameters }: Node): Node {
  const [, name] = /^#\/parameters\/(.+)$/.exec(String(parameter.$ref)) ?? [];
  return name === undefined ? parameter : objectOf(objectOf(parameters)[name]);
}

function withFormAsBody(operation: Node, document: Node): Node {
  const parameters = listOf(operation.parameters);
  const fields = parameters.filter((one) => one.in === "formData");
  if (fields.length === 0) return operation;
  const properties = Object.fromEntries(
    fields.map(({ in: _, name, required: __, collectionFormat: ___, ...schema }) => [
      String(name),
      schema.type === "file" ? { ...schema, type: "string", format: "binary" } : schema,
    ]),
  );
  const required = fields.filter((one) => one.required === true).map(({ name }) => name);
  const schema = { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
  const body = { in: "body", name: "body", required: required.length > 0, schema };
  const stated = [operation.consumes, document.consumes].flatMap((one) => (Array.isArray(one) ? [one] : []))[0] ?? [];
  const forms = stated.filter((type) => /^(?:multipart\/|application\/x-www-form-urlencoded)/.test(String(type)));
  const hasFile = fields.some(({ type }) => type === "file");
  const usual = hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded";
  return {
    ...operation,
    consumes: forms.length > 0 ? forms : [usual],
    parameters: [...parameters.filter((one) => one.in !== "formData"), body],
  };
}

const dataKeys: ReadonlySet<string> = new Set(["default", "enum", "example", "examples"]);

/** Writes `discriminator` and the usual extension `x-nullable` as OpenAPI 3.0 does. */
function withSchemasOfThree(node: Node): Node {
  const copy = Object.entries(node).map(([key, value]): [string, unknown] => {
    if (key === "discriminator" && typeof value === "string") return [key, { propertyName: value }];
    if (key === "x-nullable" && typeof value === "boolean") return ["nullable", value];
    return [key, dataKeys.has(key) ? value : withinSchema(value)];
  });
  return Object.fromEntries(copy);
}

function withinSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withinSchema);
  return typeof value === "object" && value !== null ? withSchemasOfThree(value as Node) : value;
}

function objectOf(value: unknown): Node {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Node) : {};
}

function listOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function mapValues(node: Node, change: (value: Node) => Node): Node {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(objectOf(value))]));
}
