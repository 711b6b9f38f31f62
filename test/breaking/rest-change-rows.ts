import type { Impact } from "../../src/breaking/impact.js";

/** A change of an operation, and how it is judged. */
export interface Row {
  readonly change: string;
  readonly impact: Impact;
  /** The stable name of what decides. Empty without a change. */
  readonly id: string;
  /**
   * How oasdiff's list of checks judges it: `err`, `warn` or `info`, or `-` without a check; and why ours differs, where a `warn` is major or an
   * `err` is not.
   */
  readonly oasdiff: string;
  /** Path items. */
  readonly before: object;
  readonly after: object;
}

type Node = Readonly<Record<string, unknown>>;
const str = { type: "string" };
const int = { type: "integer" };
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const ok = { description: "A pet.", ...json({}) };
const put = (operation: Node) => ({ put: { responses: { "200": ok }, ...operation } });
/** An operation with a parameter `p`. */
const p = (...more: readonly Node[]) =>
  put({ parameters: more.map((one, i) => ({ name: `p${i}`, in: "query", schema: int, ...one })) });
const q = (schema: Node, more: Node = {}) => p({ schema, ...more });
/** With a body. */
const b = (schema: Node, more: Node = {}) => put({ requestBody: { required: true, ...json(schema), ...more } });
/** With a response. */
const r = (schema: Node, more: Node = {}) => put({ responses: { "200": { ...ok, ...json(schema), ...more } } });
const object = (properties: Node, ...required: readonly string[]) => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required }),
});
const form = (encoding?: Node, type = "application/x-www-form-urlencoded") =>
  put({
    requestBody: {
      required: true,
      content: { [type]: { schema: object({ tags: { type: "array", items: str } }), ...(encoding && { encoding }) } },
    },
  });
const statuses = (...codes: readonly string[]) =>
  put({ responses: Object.fromEntries(codes.map((code) => [code, ok])) });
const header = (more?: Node) => r({}, more === undefined ? {} : { headers: { "X-Total": { schema: int, ...more } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const kinds = { oneOf: [ref("Cat"), ref("Dog")] };
const mapping = { cat: ref("Cat").$ref, dog: ref("Dog").$ref };
const named = (map?: Node, propertyName = "kind") => ({
  ...kinds,
  discriminator: { propertyName, ...(map && { mapping: map }) },
});

type Line = readonly [
  impact: Row["impact"],
  id: string,
  oasdiff: string,
  change: string,
  before: object,
  after: object,
];

// biome-ignore format: a table
const lines: readonly Line[] = [
  ["none", "", "-", "nothing", put({}), put({})],
  // Operations.
  ["major", "operation-removed", "err", "an operation is removed", { ...put({}), get: { responses: { "200": ok } } }, put({})],
  ["minor", "addition", "info", "an operation is added", put({}), { ...put({}), get: { responses: { "200": ok } } }],
  ["minor", "addition", "info", "an operation is deprecated", put({}), put({ deprecated: true })],
  ["minor", "addition", "info", "an operation is no longer deprecated", put({ deprecated: true }), put({})],
  ["major", "operation-id-changed", "warn: functions of generated clients have its name", "the operationId changes", put({ operationId: "a1" }), put({ operationId: "a2" })],
  ["patch", "annotation", "info", "a tag changes", put({ tags: ["a"] }), put({ tags: ["b"] })],
  ["patch", "annotation", "-", "a description changes", put({ description: "a" }), put({ description: "b" })],
  ["patch", "annotation", "-", "an example changes", q({ type: "integer", examples: [1] }), q({ type: "integer", examples: [2] })],
  // Security.
  ["major", "security-requirement-changed", "err", "credentials become needed", put({ security: [] }), put({ security: [{ key: [] }] })],
  ["minor", "addition", "info", "credentials are no longer needed", put({ security: [{ key: [] }] }), put({ security: [] })],
  ["minor", "addition", "info", "another way to log in", put({ security: [{ key: [] }] }), put({ security: [{ key: [] }, { token: [] }] })],
  ["major", "security-requirement-changed", "err", "a way to log in is removed", put({ security: [{ key: [] }, { token: [] }] }), put({ security: [{ key: [] }] })],
  // Parameters.
  ["major", "parameter-became-required", "err", "a required parameter is added", put({}), q(int, { required: true })],
  ["minor", "addition", "info", "an optional parameter is added", put({}), q(int)],
  ["major", "parameter-removed", "warn: a strict server refuses it", "a parameter is removed", q(int), put({})],
  ["major", "parameter-became-required", "err", "a parameter becomes required", q(int), q(int, { required: true })],
  ["minor", "addition", "info", "a parameter becomes optional", q(int, { required: true }), q(int)],
  ["major", "parameter-removed", "err", "a parameter moves", q(int), q(int, { in: "header" })],
  ["major", "parameter-removed", "err", "a parameter is renamed", p({ name: "a" }), p({ name: "b" })],
  ["minor", "addition", "info", "a parameter is deprecated", q(int), q(int, { deprecated: true })],
  ["none", "", "-", "parameters change their order", p({}, {}), { put: { ...p({}, {}).put, parameters: [...(p({}, {}).put as unknown as { parameters: object[] }).parameters].reverse() } }],
  ["major", "schema-type-changed", "err", "a parameter has another type", q(int), q({ type: "boolean" })],
  ["minor", "addition", "info", "a parameter may be more", q(int), q({ type: "number" })],
  ["minor", "addition", "info", "a parameter may also be null", q(int), q({ type: ["integer", "null"] })],
  ["major", "schema-type-changed", "err", "a parameter may no longer be null", q({ type: ["integer", "null"] }), q(int)],
  ["major", "schema-constraint-changed", "warn: clients that send other texts break", "a parameter gets a format", q(str), q({ ...str, format: "uuid" })],
  ["minor", "addition", "info", "a parameter loses its format", q({ ...str, format: "uuid" }), q(str)],
  ["major", "enum-values-removed", "err", "a value of a parameter is removed", q({ enum: ["a", "b"] }), q({ enum: ["a"] })],
  ["minor", "addition", "info", "a parameter gets a value more", q({ enum: ["a"] }), q({ enum: ["a", "b"] })],
  ["major", "enum-values-removed", "err", "a parameter is limited to values", q(str), q({ ...str, enum: ["a"] })],
  ["minor", "addition", "info", "a parameter is no longer limited to values", q({ ...str, enum: ["a"] }), q(str)],
  ...(
    [
      "maximum",
      "minimum",
      "maxLength",
      "minLength",
      "maxItems",
      "minItems",
      "exclusiveMinimum",
      "exclusiveMaximum",
    ] as const
  ).flatMap((key): Line[] => {
    const type = key.endsWith("Length") ? str : key.endsWith("Items") ? { type: "array", items: str } : int;
    const [wide, narrow] = /^(?:max|exclusiveMax)/.test(key) ? [9, 5] : [5, 9];
    return [
      ["major", "schema-constraint-changed", "err", `${key} of a parameter narrows`, q({ ...type, [key]: wide }), q({ ...type, [key]: narrow })],
      ["minor", "addition", "info", `${key} of a parameter widens`, q({ ...type, [key]: narrow }), q({ ...type, [key]: wide })],
      ["major", "schema-constraint-changed", "warn: values outside it were allowed", `${key} of a parameter is new`, q(type), q({ ...type, [key]: wide })],
      ["minor", "addition", "info", `${key} of a parameter goes`, q({ ...type, [key]: wide }), q(type)],
      ["minor", "addition", "info", `${key} of a response narrows`, r({ ...type, [key]: wide }), r({ ...type, [key]: narrow })],
      ["major", "schema-constraint-changed", "err", `${key} of a response widens`, r({ ...type, [key]: narrow }), r({ ...type, [key]: wide })],
    ];
  }),
  ["major", "schema-constraint-changed", "warn: other texts were allowed", "a parameter gets a pattern", q(str), q({ ...str, pattern: "a" })],
  ["major", "schema-constraint-changed", "warn: other texts were allowed", "the pattern of a parameter changes", q({ ...str, pattern: "a" }), q({ ...str, pattern: "b" })],
  ["minor", "addition", "info", "a parameter loses its pattern", q({ ...str, pattern: "a" }), q(str)],
  ["major", "schema-constraint-changed", "-", "a parameter must be a multiple", q(int), q({ ...int, multipleOf: 2 })],
  ["major", "schema-constraint-changed", "-", "a list must be unique", q({ type: "array", items: str }), q({ type: "array", items: str, uniqueItems: true })],
  ["major", "parameter-default", "err", "the default of a parameter changes", q({ ...int, default: 1 }), q({ ...int, default: 2 })],
  ["minor", "parameter-default", "err: what was sent stays valid, and means what is now said", "a parameter gets a default", q(int), q({ ...int, default: 1 })],
  ["major", "parameter-default", "err", "a parameter loses its default", q({ ...int, default: 1 }), q(int)],
  ["none", "", "-", "style and explode are written at their defaults", q(int), q(int, { style: "form", explode: true })],
  ["major", "parameter-serialization-changed", "-", "a parameter changes its style", q(int), q(int, { style: "pipeDelimited", explode: false })],
  ["major", "parameter-removed", "-", "a parameter is sent as JSON", q(int), p({ schema: undefined, ...json(int) })],
  // Bodies.
  ["major", "request-body-added", "err", "a required body is added", put({}), b(int)],
  ["minor", "addition", "info", "an optional body is added", put({}), b(int, { required: false })],
  ["major", "request-body-became-required", "err", "a body becomes required", b(int, { required: false }), b(int)],
  ["minor", "addition", "info", "a body becomes optional", b(int), b(int, { required: false })],
  ["major", "request-body-removed", "-", "a body is removed", b(int), put({})],
  ["minor", "addition", "info", "a media type of a body is added", b(int), b(int, { content: { ...json(int).content, "text/csv": { schema: str } } })],
  ["major", "media-type-removed", "err", "a media type of a body is removed", b(int, { content: { ...json(int).content, "text/csv": { schema: str } } }), b(int)],
  ["major", "schema-type-changed", "err", "a body has another type", b(int), b(str)],
  ["major", "required-properties-added", "err", "a required property of a body is added", b(object({})), b(object({ a: int }, "a"))],
  ["minor", "addition", "info", "an optional property of a body is added", b(object({})), b(object({ a: int }))],
  ["major", "request-property-removed", "warn: strict servers refuse it, lenient ones ignore it", "a property of a body is removed", b(object({ a: int })), b(object({}))],
  ["major", "required-properties-added", "err", "a property of a body becomes required", b(object({ a: int })), b(object({ a: int }, "a"))],
  ["minor", "addition", "info", "a property of a body becomes optional", b(object({ a: int }, "a")), b(object({ a: int }))],
  ["major", "schema-type-changed", "err", "a property of a body has another type", b(object({ a: int })), b(object({ a: str }))],
  ["major", "schema-type-changed", "err", "a property of a body may no longer be null", b(object({ a: { type: ["string", "null"] } })), b(object({ a: str }))],
  ["minor", "addition", "info", "a property of a body may be null", b(object({ a: str })), b(object({ a: { type: ["string", "null"] } }))],
  ["major", "enum-values-removed", "err", "a value of a property of a body is removed", b(object({ a: { enum: [1, 2] } })), b(object({ a: { enum: [1] } }))],
  ["major", "direction-changed", "info: strict servers refuse it, lenient ones ignore it", "a property of a body becomes read-only", b(object({ a: int })), b(object({ a: { ...int, readOnly: true } }))],
  ["minor", "addition", "info", "a property of a body is no longer read-only", b(object({ a: { ...int, readOnly: true } })), b(object({ a: int }))],
  ["major", "schema-constraint-changed", "-", "a body admits no other members", b(object({ a: int })), b({ ...object({ a: int }), additionalProperties: false })],
  ["minor", "addition", "-", "a body admits other members", b({ ...object({ a: int }), additionalProperties: false }), b(object({ a: int }))],
  ["major", "schema-combinator-changed", "err", "an alternative of a body is removed", b(kinds), b({ oneOf: [ref("Cat")] })],
  ["minor", "addition", "info", "an alternative of a body is added", b(kinds), b({ oneOf: [...kinds.oneOf, ref("Other")] })],
  ["major", "form-encoding", "-", "the encoding of a form field changes", form(), form({ tags: { contentType: "application/json" } })],
  ["major", "media-type-removed", "err", "a form has another media type", form(), form(undefined, "multipart/form-data")],
  ["major", "discriminator", "info: values that clients send name another schema", "the discriminator names another property", b(named()), b(named(undefined, "type"))],
  ["major", "schema-constraint-changed", "info: the same", "a value of the discriminator maps to another schema", b(named(mapping)), b(named({ ...mapping, cat: ref("Other").$ref }))],
  ["major", "discriminator", "info: the same", "a value of the discriminator is removed", b(named({ ...mapping, kitten: mapping.cat })), b(named(mapping))],
  ["minor", "addition", "info", "a value of the discriminator is added", b(named(mapping)), b(named({ ...mapping, kitten: mapping.cat }))],
  ["minor", "addition", "info", "a discriminator is added", b(kinds), b(named())],
  // Responses.
  ["minor", "error-status-removed", "info", "the status of an error is removed", statuses("200", "409"), statuses("200")],
  ["major", "response-removed", "err", "the status of a success is removed", statuses("200", "201"), statuses("200")],
  ["minor", "addition", "info", "the status of a success is added", statuses("200"), statuses("200", "201")],
  ["minor", "addition", "info", "the status of an error is added", statuses("200"), statuses("200", "409")],
  ["minor", "addition", "info", "a media type of a response is added", r(int), r(int, { content: { ...json(int).content, "text/csv": { schema: str } } })],
  ["major", "media-type-removed", "err", "a media type of a response is removed", r(int, { content: { ...json(int).content, "text/csv": { schema: str } } }), r(int)],
  ["major", "schema-type-changed", "err", "a response has another type", r(int), r(str)],
  ["major", "media-type-removed", "err", "a response loses its body", r(int), put({ responses: { "200": { description: "A pet." } } })],
  ["minor", "addition", "info", "a property of a response is added", r(object({})), r(object({ a: int }))],
  ["major", "required-properties-removed", "err", "a required property of a response is removed", r(object({ a: int }, "a")), r(object({}))],
  ["major", "property-removed", "warn: clients that read it break", "an optional property of a response is removed", r(object({ a: int })), r(object({}))],
  ["major", "required-properties-removed", "err", "a property of a response becomes optional", r(object({ a: int }, "a")), r(object({ a: int }))],
  ["minor", "addition", "info", "a property of a response becomes required", r(object({ a: int })), r(object({ a: int }, "a"))],
  ["major", "schema-type-changed", "err", "a property of a response may be null", r(object({ a: str })), r(object({ a: { type: ["string", "null"] } }))],
  ["minor", "addition", "info", "a property of a response may no longer be null", r(object({ a: { type: ["string", "null"] } })), r(object({ a: str }))],
  ["major", "enum-values-added", "warn: clients that list all values break", "a value of a property of a response is added", r(object({ a: { enum: [1] } })), r(object({ a: { enum: [1, 2] } }))],
  ["minor", "addition", "info", "a value of a property of a response is removed", r(object({ a: { enum: [1, 2] } })), r(object({ a: { enum: [1] } }))],
  ["major", "schema-type-changed", "err", "a property of a response has another type", r(object({ a: int })), r(object({ a: str }))],
  ["minor", "addition", "info", "a property of a response is deprecated", r(object({ a: int })), r(object({ a: { ...int, deprecated: true } }))],
  ["major", "direction-changed", "info: nobody receives it any more", "a property of a response becomes write-only", r(object({ a: int })), r(object({ a: { ...int, writeOnly: true } }))],
  ["major", "schema-combinator-changed", "err", "an alternative of a response is added", r(kinds), r({ oneOf: [...kinds.oneOf, ref("Other")] })],
  ["minor", "addition", "info", "an alternative of a response is removed", r(kinds), r({ oneOf: [ref("Cat")] })],
  ["none", "", "-", "an object is split into allOf", r(object({ a: int, c: str }, "a")), r({ allOf: [object({ a: int }, "a"), object({ c: str })] })],
  ["major", "response-header-optional", "err", "a header of a response is no longer required", header({ required: true }), header({})],
  ["major", "response-header-removed", "err", "a required header of a response is removed", header({ required: true }), header()],
  ["major", "response-header-removed", "warn: clients that read it break", "an optional header of a response is removed", header({}), header()],
  ["minor", "addition", "info", "a header of a response is added", header(), header({})],
  ["minor", "addition", "info", "a header of a response becomes required", header({}), header({ required: true })],
  ["major", "schema-type-changed", "err", "a header of a response has another type", header({}), header({ schema: str })],
];

export const rows: readonly Row[] = lines.map(([impact, id, oasdiff, change, before, after]) => ({
  ...{ impact, id, oasdiff, change, before, after },
}));
