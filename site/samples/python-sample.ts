import type { SampleField, SampleRequest } from "./sample-request.js";

/** The request as a Python script with `requests`. */
export function pythonSample({ operation, url, credentials, header, query, body }: SampleRequest): string {
  const files = body.filter(({ file }) => file !== undefined);
  const fields = body.filter(({ file }) => file === undefined);
  const usesJson = [...query, ...fields].some(({ isJson }) => isJson);
  // `requests` sends a multipart body only with `files`; a tuple without a name is a text field.
  const isTextOnly = operation.bodies?.[0]?.form === "multipart" && files.length === 0;
  const lines = [
    `    ${literal(url)},`,
    ...(credentials === undefined ? [] : [`    auth=(${literal(credentials.email)}, ${literal(credentials.apiKey)}),`]),
    ...(header.length === 0
      ? []
      : [
          dictionary(
            "headers",
            header.map(([name, value]) => [name, literal(value)]),
          ),
        ]),
    ...(query.length === 0 ? [] : [dictionary("params", query.map(entry))]),
    ...(fields.length === 0
      ? []
      : [isTextOnly ? dictionary("files", fields.map(asPart)) : dictionary("data", fields.map(entry))]),
    ...(files.length === 0 ? [] : [dictionary("files", files.map(entry))]),
  ];
  return `${usesJson ? "import json\n" : ""}import requests

response = requests.${operation.method.toLowerCase()}(
${lines.join("\n")}
)
print(response.status_code, response.text)`;
}

function dictionary(name: string, entries: readonly (readonly [string, string])[]): string {
  return `    ${name}={\n${entries.map(([key, value]) => `        ${literal(key)}: ${value},`).join("\n")}\n    },`;
}

function entry({ name, isJson, value, text, file }: SampleField): readonly [string, string] {
  if (file !== undefined) return [name, `(${[file.name, file.text, file.type].map(literal).join(", ")})`];
  return [name, isJson ? `json.dumps(${literal(value)})` : literal(text)];
}

function asPart(field: SampleField): readonly [string, string] {
  const [name, value] = entry(field);
  return [name, `(None, ${value})`];
}

/** A JSON value as a literal of Python. */
function literal(value: unknown): string {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "object") {
    return `{${Object.entries(value)
      .map(([key, inner]) => `${literal(key)}: ${literal(inner)}`)
      .join(", ")}}`;
  }
  // JSON escapes are escapes of Python too, except for surrogates, which JSON leaves unescaped in pairs.
  return JSON.stringify(value);
}
