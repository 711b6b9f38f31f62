import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { markdownTables } from "./markdown-tables.js";

type Node = Readonly<Record<string, unknown>>;

const markdown = readFileSync(new URL("../../docs/requirements/chat-rest-api.md", import.meta.url), "utf8");
const contract = parse(readFileSync(new URL("../../generated/chat/openapi.yaml", import.meta.url), "utf8"));
const tables = markdownTables(markdown);
const endpoints = [...markdown.matchAll(/^### (.+): (GET|POST|PATCH|DELETE) (\/\S+)/gm)].map(
  ([, title = "", method = "", path = ""]) => ({
    title,
    method,
    path,
  }),
);

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

/** The types of all alternatives of a schema. */
function typesOf(schema: Node): unknown[] {
  const { type, anyOf } = resolved(schema);
  return [type, ...(Array.isArray(anyOf) ? anyOf.flatMap((alternative) => typesOf(node(alternative))) : [])].flat();
}
const operationAt = ({ method, path }: { method: string; path: string }) =>
  node(contract.paths[path])[method.toLowerCase()];
const tablesUnder = (title: string, first: string) =>
  tables.filter(({ headings, columns }) => (headings[1] ?? "").startsWith(title) && columns[0] === first);

describe("the chat contract", () => {
  it("has the 24 required operations and tus, and no others", () => {
    expect(endpoints).toHaveLength(24);
    const stated = [...endpoints, { method: "POST", path: "/tus" }].map(({ method, path }) => `${method} ${path}`);
    const written = Object.entries(contract.paths).flatMap(([path, item]) =>
      Object.keys(node(item))
        .filter((key) => /^(get|post|patch|delete)$/.test(key))
        .map((key) => `${key.toUpperCase()} ${path}`),
    );
    expect(written.sort()).toEqual(stated.sort());
  });

  it.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "has the required parameters of %s",
    (_, endpoint) => {
      const parameters = parametersOf(node(operationAt(endpoint)));
      const rows = tablesUnder(`${endpoint.title}: `, "Parameter").flatMap(({ rows: all }) => all);
      for (const row of rows) {
        const name = row.Parameter ?? "";
        const parameter = parameters.get(name);
        expect(parameter, `${name} is missing`).toBeDefined();
        if (parameter === undefined) continue;
        if (row.Where !== undefined) expect(`${name} in ${parameter.where}`).toBe(`${name} in ${row.Where}`);
        if (row.Required !== undefined)
          expect(`${name}: ${parameter.required}`).toBe(`${name}: ${row.Required === "yes"}`);
        const type = /^(string|integer|boolean|array|object)/.exec(row.Type ?? "")?.[1] ?? "";
        expect(typesOf(parameter.schema), `type of ${name}`).toContain(type);
        if (/^(true|false)$/.test(row.Default ?? ""))
          expect(parameter.schema.default, `default of ${name}`).toBe(row.Default === "true");
        if (/\bdefault (true|false)\b/.test(row.Rules ?? "")) {
          expect(parameter.schema.default, `default of ${name}`).toBe(/default true/.test(row.Rules ?? ""));
        }
      }
      const stated = new Set(rows.map(({ Parameter }) => Parameter));
      if (rows.length > 0) expect([...parameters.keys()].filter((name) => !stated.has(name))).toEqual([]);
      if (/\(deprecated\)/.test(markdown.slice(markdown.indexOf(`### ${endpoint.title}: `)).split("\n")[0] ?? "")) {
        expect(node(operationAt(endpoint)).deprecated).toBe(true);
      }
    },
  );

  it.each([
    ["Get messages", "GET", "/messages", ["anchor", "found_newest", "messages"]],
    ["Get server settings", "GET", "/server_settings", ["realm_name", "service_feature_level"]],
  ] as const)("has the required response fields of %s: %s %s", (title, method, path, some) => {
    const response = resolved(node(node(operationAt({ method, path })).responses)["200"]);
    const schema = resolved(node(node(response.content)["application/json"]).schema);
    const written = Object.keys(node(schema.properties));
    const stated = tablesUnder(`${title}: `, "Field").flatMap(({ rows }) => rows.map(({ Field = "" }) => Field));
    expect(stated).toEqual(expect.arrayContaining([...some]));
    expect(written.filter((name) => !["result", "msg", "ignored_parameters_unsupported"].includes(name))).toEqual(
      stated,
    );
  });

  it("lists the required error codes and no others", () => {
    const codes = tables
      .find(({ headings, columns }) => headings[0] === "Errors" && columns[0] === "Code")
      ?.rows.map(({ Code }) => Code);
    expect(codes).toHaveLength(9);
    expect(contract.components.schemas.DocumentedErrorCode.enum).toEqual(codes);
  });

  it("has a feature level for every row of the versioning table", () => {
    const rows =
      tables.find(({ headings, columns }) => headings[0] === "Versioning" && columns[0] === "Feature level")?.rows ??
      [];
    expect(rows).toHaveLength(28);
    const text = JSON.stringify(contract);
    const levels = new Set(
      [...text.matchAll(/"(?:added|deprecated|removed|level|since|until)":(\d+)/g)].map(([, level]) => level),
    );
    const missing = rows
      .flatMap((row) => (row["Feature level"] ?? "").split(" / "))
      .filter((level) => !levels.has(level));
    expect(missing).toEqual([]);
  });

  it("has no feature level that the requirements lack", () => {
    const stated = new Set(
      [...markdown.matchAll(/(?:feature level|^\|) ?(\d+)(?: \/ (\d+))?/gm)].flatMap(([, a, b]) => [a, b]),
    );
    const text = JSON.stringify(contract);
    const used = new Set(
      [...text.matchAll(/"(?:added|deprecated|removed|level|since|until)":(\d+)/g)].map(([, level]) => level),
    );
    expect([...used].filter((level) => !stated.has(level))).toEqual([]);
  });
});
