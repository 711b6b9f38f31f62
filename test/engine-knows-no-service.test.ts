import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { loadContract } from "../src/chat/contract.js";
import { conventionsOf } from "../src/contract/rest/conventions.js";
import {
  type ContractDocument,
  type ParameterObject,
  type ResponseObject,
  resolve,
} from "../src/contract/rest/document.js";
import { loadOpenApi } from "../src/contract/rest/load-openapi.js";
import { listOperations, parametersOf } from "../src/contract/rest/operations.js";
import { listAllRules } from "../src/contract/rest/rules.js";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Where parts of the two shipped contracts may stand, apart from their rules, operations and RPCs, and why. */
const typedEntries: Readonly<Record<string, string>> = {
  "src/chat": "the typed client and server of the REST contract",
  "src/daemon": "the typed client and server of the RPC contract",
};

/** Headers that RFC 9110, 6265, 6585 and 9457 define for every API. */
const standardHeaders = ["accept-language", "allow", "etag", "location", "retry-after", "www-authenticate"];

/** Names that contracts share with OpenAPI, JSON Schema, HTTP, Node and the engine's own formats. */
const ordinaryWords = [
  ...["at", "bearer", "build", "content", "date", "delete", "email", "file", "fragment", "key", "message", "missing"],
  ...["note", "number", "other", "pattern", "protocol", "reason", "required", "role", "scheme", "secret", "server"],
  ...["organization", "services", "session", "since"],
  ...["status", "stream", "token", "url", "user"],
];

/** The names of a contract by kind. */
interface Names {
  /** Of rules, operations and RPCs. */
  readonly ids: readonly string[];
  /** Of paths, their prefixes, packages, parameters, headers, roles, provider states, security schemes, credential fields and error codes. */
  readonly parts: readonly string[];
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function filesIn(folder: string, name: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function namesOfRest(document: ContractDocument, statesFile?: string): Names {
  const states = statesFile === undefined ? {} : parse(read(statesFile));
  const operations = listOperations(document);
  const parameters = operations.flatMap(({ operation }) => parametersOf(document, operation));
  const fields = operations.flatMap(({ operation }) =>
    Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
      Object.keys((schema && resolve<{ properties?: object }>(document, schema).properties) ?? {}),
    ),
  );
  const responses = operations.flatMap(({ operation }) =>
    Object.values(operation.responses).map((response) => resolve<ResponseObject>(document, response)),
  );
  const headers = [
    ...parameters.filter((one: ParameterObject) => one.in === "header").map(({ name }) => name),
    ...responses.flatMap((response) => Object.keys((response as { headers?: object }).headers ?? {})),
  ];
  return {
    ids: [...listAllRules(document).map(({ id }) => id), ...operations.map(({ operation }) => operation.operationId)],
    parts: [
      ...Object.keys(document.paths),
      ...(document.servers ?? []).map(({ url }) => url.replace(/^(?:https?:\/\/[^/]*|\{\w+\})/, "")),
      ...parameters.map(({ name }) => name),
      ...fields,
      ...headers,
      ...Object.keys(states["x-callers"] ?? {}),
      ...Object.keys(states["x-states"] ?? {}),
      ...Object.keys(document.components.securitySchemes ?? {}),
      ...Object.values(conventionsOf(document).credentials ?? {}),
      ...errorCodesOf(document),
    ],
  };
}

/** The texts that schemas fix for the code of an error. */
function errorCodesOf(document: ContractDocument): string[] {
  const field = conventionsOf(document).error?.code?.slice(1);
  const codes = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { properties } = value as { properties?: Record<string, object> };
    const schema = field === undefined ? undefined : properties?.[field];
    const { const: only, enum: some = [] } =
      schema === undefined ? {} : resolve<{ const?: unknown; enum?: unknown[] }>(document, schema);
    for (const code of [only, ...some]) if (typeof code === "string") codes.add(code);
    Object.values(value).forEach(visit);
  };
  visit(document.components);
  return [...codes];
}

function namesOfRpc(protoFolder: string): Names {
  const text = filesIn(protoFolder, /\.proto$/)
    .filter((file) => !file.includes("third_party"))
    .map(read)
    .join("\n");
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const services = all(/^service (\w+)/gm);
  const rpcs = all(/^\s*rpc (\w+)/gm);
  const fields = all(/^\s*(?:optional |repeated )?(?:[\w.]+|map<[^>]+>) (\w+) = \d+/gm);
  const rules = filesIn(`${protoFolder}/cases`, /\.yaml$/).flatMap((file) =>
    ((parse(read(file)).rules ?? []) as { id: string }[]).map(({ id }) => id),
  );
  return {
    ids: [
      ...rules,
      ...services,
      ...rpcs.flatMap((rpc) => [rpc, rpc.charAt(0).toLowerCase() + rpc.slice(1)]),
      ...services.flatMap((service) => rpcs.map((rpc) => `${service}/${rpc}`)),
    ],
    parts: [...all(/^package ([\w.]+)/gm), ...fields, ...fields.map(camelCase)],
  };
}

const contracts: readonly Names[] = [
  namesOfRest(await loadContract(), "openapi/states.yaml"),
  namesOfRest(await loadOpenApi(join(root, "test/contracts/museum/openapi.yaml")), "test/contracts/museum/states.yaml"),
  namesOfRest(await loadOpenApi(join(root, "test/contracts/parcels/openapi.yaml"))),
  namesOfRpc("proto"),
  namesOfRpc("test/contracts/library/proto"),
];

/** Words of more than one contract belong to none. */
function inOneContract(kind: keyof Names): string[] {
  const sets = contracts.map((names) => new Set(names[kind]));
  const all = [...new Set(sets.flatMap((set) => [...set]))];
  const exempt = new Set(["/", ...standardHeaders, ...ordinaryWords]);
  return all.filter((name) => sets.filter((set) => set.has(name)).length === 1 && !exempt.has(name.toLowerCase()));
}

const ids = new Set(inOneContract("ids"));
const parts = new Set(inOneContract("parts"));
/** The parts of rule ids from which code could build others, such as `redaction.`. */
const rulePrefixes = new Set(
  [...ids].flatMap((id) =>
    id.includes("/") ? [] : [...id.matchAll(/\./g)].map(({ index }) => id.slice(0, index + 1)),
  ),
);

/** Any path of a contract, or prefix of its paths, at the beginning of a longer one; the longest first. */
const pathPattern = new RegExp(
  `^(?:${[...parts]
    .filter((name) => name.startsWith("/"))
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[{}]/g, "\\$&"))
    .join("|")})(?![\\w-])`,
);

/** Whether a name is not simply a word of the language, which code may use for something else. */
function isDistinctive(name: string): boolean {
  return /[a-z][A-Z]|[_./-]/.test(name);
}

/** Finds names of contracts in the identifiers and literals of a program, but not in comments. Words count only as whole literals. */
function namesIn(source: string, wanted: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    // Imports name modules and generated types.
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isIdentifier(node) && isDistinctive(node.text) && wanted.has(node.text)) found.push(node.text);
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      found.push(...namesInText(node.text, wanted));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest));
  return [...new Set(found)];
}

function namesInText(text: string, wanted: ReadonlySet<string>): string[] {
  if (wanted.has(text)) return [text];
  if (wanted === ids && rulePrefixes.has(text)) return [text];
  const patterns = [/[\w./{}-]+/g, /[\w.-]+/g, /[\w-]+/g, /\w+/g];
  const words = patterns.flatMap((pattern) => text.match(pattern) ?? []).map((word) => word.replace(/[./]$/, ""));
  const [path] = (wanted === parts && pathPattern.exec(text)) || [];
  return [...words, ...(path === undefined ? [] : [path])].filter((word) => isDistinctive(word) && wanted.has(word));
}

describe("the engine", () => {
  const files = filesIn("src", /\.c?ts$/);
  const isEngine = (file: string) => !Object.keys(typedEntries).some((folder) => file.startsWith(`${folder}/`));

  it.each([
    ["rule, operation or RPC", ids, files],
    ["path, parameter, header, role, provider state, login or error code", parts, files.filter(isEngine)],
  ])("knows no %s of any contract", (_, names, among) => {
    expect(among.length).toBeGreaterThan(100);
    const found = among.flatMap((file) => namesIn(read(file), names).map((name) => `${file}: ${name}`));
    expect(found).toEqual([]);
  });
});

describe("names of contracts", () => {
  it.each([
    ['const rule = "errors.invalid-id";', "errors.invalid-id"],
    ["const rule = `redaction.$" + "{surface}`;", "redaction."],
    ["const { editMessage: _, ...others } = operations;", "editMessage"],
    ['type Callable = Exclude<Id, "editMessage">;', "editMessage"],
    ['call("ProxySubscriptions/SelectNode", {});', "ProxySubscriptions/SelectNode"],
    ["handlers.selectNode(request);", "selectNode"],
    ['rpc.startsWith("MeshControlService/")', "MeshControlService"],
    ['send("buyTickets")', "buyTickets"],
    ['throw new Error("The answer has errors.")', undefined],
    ["// Like editMessage.", undefined],
    ['import { editMessage } from "./edit-message.js";', undefined],
  ])("are found in %j if they are of rules, operations and RPCs", (source, name) => {
    expect(namesIn(source, ids)).toEqual(name === undefined ? [] : [name]);
  });

  it.each([
    ['fetch(origin + "/api/v1/messages");', "/api/v1"],
    ['new URL("/exhibits/17", origin)', "/exhibits"],
    ["const { stream_id } = body;", "stream_id"],
    ['headers["X-Total-Count"]', "X-Total-Count"],
    ['as === "curator"', "curator"],
    ['schemeName: "basicAuth"', "basicAuth"],
    ["const { api_key } = credentials;", "api_key"],
    ['errorBody(404, "STREAM_DOES_NOT_EXIST")', "STREAM_DOES_NOT_EXIST"],
    ['name === "library.loans.v1"', "library.loans.v1"],
    ["const curator = 1;", undefined],
    ['headers["Retry-After"]', undefined],
    ['throw new Error("A curator is missing")', undefined],
  ])("are found in %j if they are of other parts", (source, name) => {
    expect(namesIn(source, parts)).toEqual(name === undefined ? [] : [name]);
  });
});
