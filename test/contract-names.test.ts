import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { loadContract } from "../src/chat/contract.js";
import { listOperations } from "../src/contract/rest/operations.js";
import { listAllRules } from "../src/contract/rest/rules.js";
import { loadDaemonCases } from "../src/contract/rpc/cases.js";
import { daemonMethods } from "../src/contract/rpc/rpcs.js";

const root = fileURLToPath(new URL("..", import.meta.url));
/** The folders that serve, mock and verify any operation and RPC, and so read their names from the contract. */
const folders = ["src/chat", "src/daemon", "src/dredd", "src/mock", "src/verify"];

const contract = await loadContract();
const daemon = await loadDaemonCases();
const ruleIds = [...listAllRules(contract), ...daemon.rules, ...daemon.clientRules].map(({ id }) => id);
/** The parts of rule ids from which code could build others, such as `redaction.`. */
const rulePrefixes: ReadonlySet<string> = new Set(
  ruleIds.flatMap((id) => [...id.matchAll(/\./g)].map(({ index }) => id.slice(0, index + 1))),
);
const names: ReadonlySet<string> = new Set([
  ...ruleIds,
  ...listOperations(contract).map(({ operation }) => operation.operationId),
  ...daemonMethods.flatMap(({ rpc, localName, method }) => [rpc, localName, method.name, method.parent.name]),
]);

/** Finds the names of the contract in the identifiers and literals of a program, but not in comments. */
function namesIn(source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    // Imports name modules and generated types.
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isIdentifier(node) && names.has(node.text)) found.push(node.text);
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const [words, parts] = [/[\w./-]+/g, /[\w.-]+/g].map((pattern) => node.text.match(pattern) ?? []);
      const [name] = [...(words ?? []), ...(parts ?? [])].filter((word) => names.has(word.replace(/\.$/, "")));
      if (name !== undefined) found.push(name);
      else if (rulePrefixes.has(node.text)) found.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest));
  return found;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.c?ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

describe("names of rules, operations and RPCs", () => {
  it.each(folders)("do not occur in the code of %s", (folder) => {
    const files = sourceFiles(folder);
    const found = files.flatMap((file) =>
      namesIn(readFileSync(join(root, file), "utf8")).map((name) => `${file}: ${name}`),
    );
    expect(files.length).toBeGreaterThan(0);
    expect(found).toEqual([]);
  });

  it.each([
    ['const rule = "errors.invalid-id";', "errors.invalid-id"],
    ["const rule = `redaction.$" + "{surface}`;", "redaction."],
    ["const { editMessage: _, ...others } = operations;", "editMessage"],
    ['type Callable = Exclude<Id, "editMessage">;', "editMessage"],
    ['call("ProxySubscriptions/SelectNode", {});', "ProxySubscriptions/SelectNode"],
    ["handlers.selectNode(request);", "selectNode"],
    ['rpc.startsWith("MeshControlService/")', "MeshControlService"],
    ['throw new Error("The answer has errors.")', undefined],
    ["// Like editMessage.", undefined],
    ['import { editMessage } from "./edit-message.js";', undefined],
  ])("are found in %j", (source, name) => {
    expect(namesIn(source)).toEqual(name === undefined ? [] : [name]);
  });
});
