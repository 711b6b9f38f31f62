import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { alternativesOf, chatFacts, type FieldFacts, type OperationFacts } from "./facts.js";

type Node = Readonly<Record<string, unknown>>;

const contract = parse(readFileSync(new URL("../../generated/chat/openapi.yaml", import.meta.url), "utf8"));
const { operations, objects, enumerations, errorCodes, levels } = chatFacts;
const named = operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

function node(value: unknown): Node {
  return typeof value === "object" && value !== null ? (value as Node) : {};
}

function resolved(value: unknown): Node {
  const { $ref } = node(value);
  if (typeof $ref !== "string") return node(value);
  return resolved(
    $ref
      .slice(2)
      .split("/")
      .reduce((at: unknown, key) => node(at)[key], contract),
  );
}

interface Parameter {
  readonly where: string;
  readonly required: boolean;
  readonly schema: Node;
}

function parametersOf(operation: Node): Map<string, Parameter> {
  const found = new Map<string, Parameter>();
  for (const parameter of (operation.parameters as unknown[] | undefined) ?? []) {
    const { name, in: where, required, schema, content } = resolved(parameter);
    const json = node(node(content)["application/json"]).schema;
    found.set(String(name), { where: String(where), required: required === true, schema: resolved(schema ?? json) });
  }
  for (const media of Object.values(node(resolved(operation.requestBody).content))) {
    const schema = resolved(node(media).schema);
    for (const [name, property] of Object.entries(node(schema.properties))) {
      found.set(name, {
        where: "body",
        required: ((schema.required as string[]) ?? []).includes(name),
        schema: resolved(property),
      });
    }
  }
  return found;
}

/** The types of all alternatives of a schema, in the notation of the facts. */
function typesOf(value: unknown): string[] {
  const { type, anyOf, items } = resolved(value);
  const own = [type ?? []].flat().flatMap((one) => {
    if (one !== "array") return [String(one)];
    const inner = typesOf(items);
    return [inner.length === 1 ? `${inner[0]}[]` : `(${inner.join(" | ")})[]`];
  });
  return [...own, ...((anyOf as unknown[] | undefined) ?? []).flatMap(typesOf)];
}

function expectType(name: string, schema: unknown, type: string) {
  expect(typesOf(schema), `types of ${name}`).toEqual(expect.arrayContaining(alternativesOf(type)));
}

function expectFields(properties: Node, fields: FieldFacts) {
  for (const [name, type] of Object.entries(fields)) expectType(name, properties[name], type);
}

const operationAt = ({ method, path }: Pick<OperationFacts, "method" | "path">) =>
  node(node(contract.paths[path])[method.toLowerCase()]);

/** The alternatives of the JSON content of a response. */
function schemasOf(response: unknown): Node[] {
  const schema = resolved(node(node(resolved(response).content)["application/json"]).schema);
  return Array.isArray(schema.anyOf) ? schema.anyOf.map(resolved) : [schema];
}

describe("the chat contract", () => {
  it("has the 24 required operations and tus, and no others", () => {
    expect(operations).toHaveLength(24);
    const required = [...operations, { method: "POST", path: "/tus" }].map(({ method, path }) => `${method} ${path}`);
    const written = Object.entries(contract.paths).flatMap(([path, item]) =>
      Object.keys(node(item))
        .filter((key) => /^(get|post|patch|delete)$/.test(key))
        .map((key) => `${key.toUpperCase()} ${path}`),
    );
    expect(written.sort()).toEqual(required.sort());
  });

  it.each(named)("has the required parameters of %s", (_, operation) => {
    const parameters = parametersOf(operationAt(operation));
    if (operation.parameters === "unnamed") return expect(parameters.size).toBe(1);
    const required = operation.parameters ?? {};
    expect([...parameters.keys()].sort()).toEqual(Object.keys(required).sort());
    for (const [name, facts] of Object.entries(required)) {
      const parameter = parameters.get(name);
      expect({ name, in: parameter?.where, required: parameter?.required }).toEqual({
        name,
        in: facts.in,
        required: facts.required === true,
      });
      expectType(name, parameter?.schema, facts.type);
      if (facts.default !== undefined) expect(parameter?.schema.default, `default of ${name}`).toEqual(facts.default);
    }
  });

  it.each(named)("deprecates %s exactly if required", (_, operation) => {
    expect(operationAt(operation).deprecated).toBe(operation.deprecated);
  });

  it.each(named)("has exactly the required response fields of %s", (_, operation) => {
    const { response = {} } = operation;
    const [schema] = schemasOf(node(operationAt(operation).responses)["200"]);
    const { result, msg, ignored_parameters_unsupported, ...own } = node(schema?.properties);
    expect(Object.keys(own)).toEqual(Object.keys(response));
    expectFields(own, response);
  });

  const failures = operations.flatMap((operation) =>
    (operation.errors ?? []).map(
      (error) => [`${error.code} of ${operation.method} ${operation.path}`, error, operation] as const,
    ),
  );
  it.each(failures)("has the required error %s", (_, { code, fields = {}, status, until }, operation) => {
    const documented = Object.entries(node(operationAt(operation).responses)).flatMap(([key, response]) =>
      schemasOf(response)
        .filter(({ properties }) => node(node(properties).code).const === code)
        .map((schema) => ({ key, schema, level: node(resolved(response)["x-feature-level"]) })),
    );
    expect(documented).toHaveLength(1);
    for (const { key, schema, level } of documented) {
      expect(schema.required).toEqual(expect.arrayContaining(Object.keys(fields)));
      expectFields(node(schema.properties), fields);
      if (status !== undefined) expect(key).toBe(String(status));
      expect(level.removed).toBe(until);
    }
  });

  it.each(Object.entries(objects))("has exactly the required fields of %s", (name, fields) => {
    const properties = node(contract.components.schemas[name]?.properties);
    expect(Object.keys(properties).sort()).toEqual(Object.keys(fields).sort());
    expectFields(properties, fields);
  });

  it.each(Object.entries(enumerations))("has exactly the required values of %s", (name, values) => {
    const { enum: written, anyOf = [] } = node(contract.components.schemas[name]) as { enum?: unknown; anyOf?: Node[] };
    expect(written ?? anyOf.map((one) => one.const)).toEqual(values);
  });

  it("lists the required error codes and no others", () => {
    expect(contract.components.schemas.DocumentedErrorCode.enum).toEqual(errorCodes);
  });

  it("has exactly the required feature levels", () => {
    const text = JSON.stringify(contract);
    const used = new Set(
      [...text.matchAll(/"(?:added|deprecated|removed|level|since|until)":(\d+)/g)].map(([, level]) => Number(level)),
    );
    expect([...used].sort((a, b) => a - b)).toEqual(levels.flatMap((row) => row.levels).sort((a, b) => a - b));
  });
});
