import { describe, expect, it } from "vitest";
import { hasDocuments, readDocument, sectionsOf } from "./documents.js";
import {
  alternativesOf,
  chatFacts,
  daemonFacts,
  type FieldFacts,
  type OperationFacts,
  type ParameterFacts,
} from "./facts.js";
import { type MarkdownTable, markdownTables } from "./markdown-tables.js";

// Needs the requirement documents: ACCORD_REQUIREMENTS names their folder.
describe.skipIf(!hasDocuments)("the facts about the chat service", () => {
  const markdown = readDocument("chat");
  const sections = sectionsOf(markdown);
  const tables = markdownTables(markdown);
  const { operations, objects, enumerations, errorCodes, levels } = chatFacts;
  const each = operations.map((operation) => [operation.heading, operation] as const);
  const textOf = (heading: string) => sections.find((section) => section.heading === heading)?.text ?? "";
  const tablesUnder = (heading: string, first: string) =>
    tables.filter(({ headings, columns }) => headings.at(-1)?.startsWith(heading) && columns[0] === first);

  it("cover every table except those that only rules can express", () => {
    const read = ["Resource", "Name", "Parameter", "Field", "Code", "Feature level"];
    const others = tables.filter(({ columns }) => !read.includes(columns[0] ?? ""));
    expect(others.map(({ headings }) => headings[0])).toEqual(["States and transitions", "Limits"]);
  });

  it("name every operation", () => {
    const stated = sections.flatMap(({ heading, title }) => {
      const [, method, path] = / (GET|POST|PATCH|DELETE) (\S+)/.exec(title) ?? [];
      return path === undefined ? [] : [{ heading, method, path, deprecated: title.endsWith("(deprecated)") }];
    });
    expect(
      operations.map(({ heading, method, path, deprecated = false }) => ({ heading, method, path, deprecated })),
    ).toEqual(stated);
  });

  it.each(each.filter(([, { parameters }]) => parameters !== "unnamed"))(
    "have the parameters of: %s",
    (heading, operation) => {
      const [table] = tablesUnder(`${heading}: `, "Parameter");
      const stated = table ? parametersOfTable(table, operation) : parametersOfProse(textOf(heading));
      expect(operation.parameters ?? {}).toEqual(stated);
      expect(Object.keys(operation.parameters ?? {})).toEqual(Object.keys(stated));
    },
  );

  it.each(each)("include the response fields of: %s", (heading, { response = {} }) => {
    const [table] = tablesUnder(`${heading}: `, "Field");
    const stated = table
      ? table.rows.map(({ Field = "", Type = "" }) => [Field, notationOf(Type)])
      : fieldsOfProse(responseOf(textOf(heading)));
    expect(Object.entries(response)).toEqual(stated);
  });

  it.each(each)("include the errors of: %s", (heading, { errors = [] }) => {
    const text = textOf(heading);
    const codes = errorCodes.filter((code) => new RegExp(`\\b${code}\\b`).test(text));
    expect(errors.map(({ code }) => code).sort()).toEqual([...codes].sort());
    const statuses = [...text.matchAll(/HTTP (\d{3}) with code (\w+)(?:[^()]*? before feature level (\d+)\))?/g)].map(
      ([, status, code, until]) => ({ code, status: Number(status), until: until ? Number(until) : undefined }),
    );
    const known = errors.flatMap(({ code, status, until }) => (status === undefined ? [] : [{ code, status, until }]));
    expect(known).toEqual(statuses);
    const rows = tablesUnder(`${heading}: `, "Code").flatMap((table) => table.rows);
    for (const { code, fields = {} } of errors) {
      const row = rows.find(({ Code }) => Code === code);
      if (row !== undefined) expect(Object.entries(fields)).toEqual(fieldsOfProse(row["Extra fields"] ?? ""));
      for (const name of Object.keys(fields)) expect(text).toContain(`\`${name}\``);
    }
  });

  it("include every error code of the table, in order", () => {
    const [table] = tables.filter(({ headings, columns }) => headings[0] === "Errors" && columns[0] === "Code");
    expect(errorCodes).toEqual(table?.rows.map(({ Code }) => Code));
  });

  it("include every level of the table, in order, and those named elsewhere", () => {
    const [table] = tablesUnder("Versioning", "Feature level");
    const stated = table?.rows.map((row) => (row["Feature level"] ?? "").split(" / ").map(Number));
    expect(levels.map((row) => row.levels)).toEqual(stated);
    const named = [...markdown.matchAll(/feature level (\d+)/g)].map(([, level]) => Number(level));
    expect(levels.flatMap((row) => row.levels)).toEqual(expect.arrayContaining(named));
  });

  it("include every enumeration", () => {
    const stated = tablesUnder("Resources and their fields", "Name").flatMap(({ rows }) =>
      rows.map(({ Values = "" }) => {
        const names = [...Values.matchAll(/`(\w+)`/g)].map(([, name]) => name);
        return names.length > 0 ? names : [...Values.matchAll(/\d+/g)].map(([number]) => Number(number));
      }),
    );
    expect(Object.values(enumerations)).toEqual(stated);
  });

  it.each([
    ["Edit-history entry", ["EditHistoryEntry"]],
    ["Reaction", ["Reaction"]],
    ["Attachment", ["Attachment", "AttachmentMessage"]],
    ["User status", ["UserStatus"]],
    ["External authentication method", ["ExternalAuthenticationMethod"]],
  ])("have the fields of the resource %s", (resource, schemas) => {
    const [table] = tablesUnder("Resources and their fields", "Resource");
    const cell = Object.values(table?.rows.find((row) => row.Resource === resource) ?? {})[1] ?? "";
    const fields = schemas.flatMap((schema) => Object.entries(objects[schema] ?? {}));
    expect(fields.map(([name]) => name)).toEqual([...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    const typed = fieldsOfProse(cell);
    expect(fields).toEqual(expect.arrayContaining(typed));
  });

  it("include the fields of a message", () => {
    const text = /^Message object fields: (.*)/m.exec(textOf("Get messages"))?.[1] ?? "";
    const stated = [...text.matchAll(/`(\w+)` \(((?:string|integer|boolean|array)?)/g)];
    const fields = Object.entries(objects.Message ?? {});
    expect(fields.map(([name]) => name)).toEqual(stated.map(([, name]) => name));
    for (const [index, [, type]] of fields.entries()) {
      const base = stated[index]?.[2] || "string";
      expect(alternativesOf(type)[0]).toMatch(base === "array" ? /\[\]$/ : new RegExp(`^${base}$`));
    }
  });

  it.each([
    ["ProfileFieldValue", "Update a user by email"],
    ["ProfileFieldChoice", "Create a custom profile field"],
    ["Objection", "Deactivate a user group"],
  ])("have only fields of %s that the requirements name", (schema, heading) => {
    for (const [name, type] of Object.entries(objects[schema] ?? {})) {
      const base = type.endsWith("[]") ? "array" : type;
      expect(textOf(heading)).toMatch(new RegExp(`\`${name}\` \\(?(?:value |${base})`));
    }
  });
});

describe.skipIf(!hasDocuments)("the facts about the daemon", () => {
  const tables = markdownTables(readDocument("daemon"));
  const { enums, messages, rpcs } = daemonFacts;

  it("include every field of every message", () => {
    const stated = named("Message", tables).map(([name, { rows }]) => [
      name,
      rows.map((row) => [row.Field, [row.Type, Number(row["No."])]]),
    ]);
    expect(Object.entries(messages).map(([name, fields]) => [name, Object.entries(fields)])).toEqual(stated);
  });

  it("include every value of every enumeration", () => {
    const stated = named("Enum", tables).map(([name, { rows }]) => [
      name,
      rows.map((row) => [row["Value name"]?.split(" ")[0], Number(row.Number)]),
    ]);
    expect(Object.entries(enums).map(([name, values]) => [name, Object.entries(values)])).toEqual(stated);
  });

  it("include every RPC", () => {
    const [table] = tables.filter(({ headings }) => headings[0] === "Endpoints");
    const nameOf = (cell = "") => (/^\w+$/.test(cell) ? cell : "unnamed");
    expect(rpcs).toEqual(
      table?.rows.map((row) => ({
        service: nameOf(row.Service),
        name: row.RPC,
        request: nameOf(row["Request message"]),
        response: nameOf(row["Response message"]),
      })),
    );
  });

  it("cover every table", () => {
    const read = [...named("Enum", tables), ...named("Message", tables)].map(([, table]) => table);
    const others = tables.filter((table) => !read.includes(table));
    expect(others.map(({ headings }) => headings[0])).toEqual(["Endpoints"]);
  });
});

/** Tables under a heading such as `Message X (fields that are stated)`, with the name X. */
function named(kind: "Enum" | "Message", tables: readonly MarkdownTable[]): [string, MarkdownTable][] {
  return tables.flatMap((table) => {
    const name = new RegExp(`^${kind} (\\w+)`).exec(table.headings[1] ?? "")?.[1];
    return name === undefined ? [] : [[name, table]];
  });
}

function parametersOfTable({ rows }: MarkdownTable, operation: OperationFacts): Record<string, ParameterFacts> {
  return Object.fromEntries(
    rows.map(({ Parameter = "", Where, Type = "", Required, Default = "", Rules = "" }) => {
      const required = Required === undefined ? true : necessityOf(Required);
      const value = Default || /\bdefault (true|false)\b/.exec(Rules)?.[1];
      const where = Where ?? (operation.method === "GET" ? "query" : "body");
      return [
        Parameter,
        {
          in: where as ParameterFacts["in"],
          type: notationOf(Type),
          ...(required === undefined ? {} : { required }),
          ...(value ? { default: JSON.parse(value) } : {}),
        },
      ];
    }),
  );
}

function necessityOf(cell: string): ParameterFacts["required"] {
  const [, unless] = /^required unless (\w+) is given$/.exec(cell) ?? [];
  const [, one, other] = /^one of (\w+) or (\w+)$/.exec(cell) ?? [];
  if (unless !== undefined) return { unless };
  if (one !== undefined && other !== undefined) return { oneOf: [one, other] };
  return cell === "yes" ? true : undefined;
}

/** Parameters in sentences that begin with `Path`, `Body` or `Parameter`. */
function parametersOfProse(text: string): Record<string, ParameterFacts> {
  return Object.fromEntries(
    [...text.matchAll(/\b(Path|Body|Parameter) ([^.]*)/g)].flatMap(([, where, sentence = ""]) =>
      fieldsOfProse(sentence).map(([name, type]): [string, ParameterFacts] => [
        name,
        {
          in: where === "Path" ? "path" : "body",
          type,
          ...(/\boptional\b/.test(sentence) ? {} : { required: true }),
        },
      ]),
    ),
  );
}

/** The sentence that follows `Response:`, without the errors. */
function responseOf(text: string): string {
  return /\bResponse: ((?:(?!Errors?:)[^\n])*)/.exec(text)?.[1] ?? "";
}

const types =
  /array of (?:attachment )?objects?|array of (?:string|integer)|integer or null|string|integer|boolean|object/;

/** Names in backquotes with the type that follows each. */
function fieldsOfProse(text: string): [name: string, type: string][] {
  return [...text.matchAll(new RegExp(`\`(\\w+)\` (${types.source})`, "g"))].map(([, name = "", type = ""]) => [
    name,
    notationOf(type),
  ]);
}

/** Converts a type to the notation of the facts. */
function notationOf(cell: string): FieldFacts[string] {
  if (/^array of objects .* or string arrays$/.test(cell)) return "(object | string[])[]";
  const short = cell
    .replace(/ \(.*$/, "")
    .replace(/,.*$/, "")
    .replace("object of booleans", "object");
  return short
    .split(" or ")
    .map((type) => type.replace(/^array of (?:attachment )?(\w+?)s?$/, "$1[]"))
    .join(" | ");
}
