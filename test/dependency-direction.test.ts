import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The folders in order: a file may import its own folder, which is the longest that contains it, and those before it. */
const order = [
  "generated",
  ...["src/base", "src/text", "src/secrets", "src/http", "src/wire", "src/schema", "src/request"],
  ...["src/contract", "src/contract/rest", "src/contract/rpc", "src/contract/project"],
  ...["src/report", "src/judge", "src/behaviour"],
  ...["src/server", "src/mock", "src/runtime"],
  ...["src/verify", "src/verify/http", "src/verify/states"],
  ...["src/verify/run", "src/verify/derive", "src/verify/rpc", "src/verify/rest"],
  "src/traffic",
  ...["src/docs", "src/lint", "src/generate", "src/init", "src/breaking"],
  ...["src/chat", "src/daemon", "src/dredd", "src"],
  ...["openapi/checks", "proto/checks", "reference", "site", "src/cli", "reference/cli", "scripts", "test"],
];

function layerOf(path: string): string | undefined {
  return order.filter((layer) => path.startsWith(`${layer}/`)).sort((a, b) => b.length - a.length)[0];
}

function mayImport(file: string, target: string): boolean {
  const [from, to] = [layerOf(file), layerOf(target)];
  if (from === undefined || to === undefined) return false;
  // The command line comes after the reference, which it must not know.
  if (file.startsWith("src/") && !/^(?:src|generated)\//.test(target)) return false;
  // Shipped checks are written like those of users.
  if (/^(?:openapi|proto)\/checks\//.test(file) && target.startsWith("src/")) return target.startsWith("src/checks.");
  return order.indexOf(to) <= order.indexOf(from);
}

function sourceFiles(layer: string): string[] {
  return readdirSync(join(root, layer), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|cts|js|vue)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => layerOf(file) === layer && !file.includes("node_modules"));
}

function localImports(file: string, text = readFileSync(join(root, file), "utf8")): string[] {
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, specifier = ""]) => specifier);
  return specifiers.map((specifier) => relative(root, resolve(root, dirname(file), specifier)));
}

/** The files of this project that each file imports. */
function importGraph(): ReadonlyMap<string, readonly string[]> {
  const files = new Set(order.flatMap(sourceFiles));
  const sourceOf = (target: string) => (files.has(target) ? target : target.replace(/js$/, "ts"));
  return new Map([...files].map((file) => [file, localImports(file).map(sourceOf)]));
}

/** The imports between the entries, which are files and folders, of each folder. */
function entryGraphs(
  graph: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, ReadonlyMap<string, string[]>> {
  const graphs = new Map<string, Map<string, string[]>>();
  for (const [file, targets] of graph) {
    for (const target of targets) {
      const [from, to] = [file.split("/"), target.split("/")];
      const depth = from.findIndex((part, i) => part !== to[i]);
      const [entry = "", imported] = [from[depth], to[depth]];
      if (depth < 1 || imported === undefined) continue;
      const folder = from.slice(0, depth).join("/");
      const entries = graphs.get(folder) ?? new Map<string, string[]>();
      graphs.set(folder, entries.set(entry, [...new Set([...(entries.get(entry) ?? []), imported])]));
    }
  }
  return graphs;
}

/** Finds circles of imports, each as a path that leads from a file back to it. A graph with circles has at least one such path. */
function findCircles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const visited = new Set<string>();
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
    if (visited.has(file)) return;
    visited.add(file);
    for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
  };
  for (const file of graph.keys()) visit(file, []);
  return circles;
}

describe("the direction of dependencies", () => {
  it.each(order)("holds in every file of %s", (layer) => {
    const files = sourceFiles(layer);
    const forbidden = files.flatMap((file) =>
      localImports(file)
        .filter((target) => !mayImport(file, target))
        .map((target) => `${file} imports ${target}`),
    );
    expect(files.length).toBeGreaterThan(0);
    expect(forbidden).toEqual([]);
  });

  it.each([
    ["src/contract/rest/cases.ts", "src/base/parse-url.ts"],
    ["src/verify/rest/verify-rest.ts", "src/verify/run/run-lanes.ts"],
    ["src/verify.ts", "src/chat/verify.ts"],
    ["openapi/checks/conventions-level.ts", "src/checks.ts"],
    ["reference/cli/main.ts", "src/cli/run-cli.ts"],
    ["scripts/start.ts", "src/cli/stop-signals.ts"],
    ["test/cli/accord.test.ts", "reference/cli/main.ts"],
    ["test/cli/verify-daemon.test.ts", "scripts/faults/daemon/faults.ts"],
  ])("allows %s to import %s", (file, target) => {
    expect(mayImport(file, target)).toBe(true);
  });

  it.each([
    ["generated/chat/operations.ts", "src/chat/operation.ts"],
    ["src/contract/rest/cases.ts", "src/chat/index.ts"],
    ["src/mock/rest/answer-request.ts", "src/chat/client/retry.ts"],
    ["src/verify/run/run-lanes.ts", "src/verify/derive/probe-lanes.ts"],
    ["src/verify.ts", "src/cli/run-cli.ts"],
    ["openapi/checks/conventions-level.ts", "src/contract/calls.ts"],
    ["src/cli/run-cli.ts", "reference/cli/serve.ts"],
    ["src/cli/run-cli.ts", "reference/chat/services.ts"],
    ["src/cli/run-cli.ts", "scripts/build.ts"],
    ["reference/chat/services.ts", "src/cli/run-cli.ts"],
    ["reference/chat/services.ts", "test/support/raw-http.ts"],
    ["scripts/start.ts", "test/support/raw-http.ts"],
  ])("forbids %s to import %s", (file, target) => {
    expect(mayImport(file, target)).toBe(false);
  });

  const wrongWay = "../../reference/chat/services.js";
  it.each([
    `import { a } from "${wrongWay}";`,
    `import type { A } from "${wrongWay}";`,
    `export { a } from "${wrongWay}";`,
    `import "${wrongWay}";`,
    `const a = await import("${wrongWay}");`,
    `import {\n  a,\n  b,\n} from "${wrongWay}";`,
  ])("finds the import in %j", (text) => {
    expect(localImports("src/chat/index.ts", text)).toEqual(["reference/chat/services.js"]);
  });
});

describe("the imports of the project", () => {
  it("form no circle", () => {
    const graph = importGraph();
    expect([...graph.values()].flat().filter((target) => graph.has(target)).length).toBeGreaterThan(graph.size);
    expect(findCircles(graph)).toEqual([]);
  });

  it("form no circle between the entries of a folder", () => {
    const circles = [...entryGraphs(importGraph())].flatMap(([folder, entries]) =>
      findCircles(entries).map((circle) => `${folder}: ${circle}`),
    );
    expect(circles).toEqual([]);
  });

  it("lead between folders if any of their files import each other", () => {
    const graph = new Map([
      ["a/b/c/one.ts", ["a/b/two.ts", "a/d/three.ts"]],
      ["a/d/three.ts", ["a/b/two.ts"]],
    ]);
    expect([...entryGraphs(graph)].map(([folder, entries]) => [folder, ...findCircles(entries)])).toEqual([
      ["a/b"],
      ["a", "b -> d -> b"],
    ]);
  });

  it.each([
    [{ a: ["b"], b: ["c", "d"], c: ["d"], d: [] }, []],
    [{ a: ["a"] }, ["a -> a"]],
    [{ a: ["b"], b: ["c"], c: ["b"] }, ["b -> c -> b"]],
    [{ a: ["b"], b: ["a"], c: ["a", "d"], d: ["c"] }, ["a -> b -> a", "c -> d -> c"]],
    [{ a: ["b", "c"], b: ["a"], c: ["a"] }, ["a -> b -> a", "a -> c -> a"]],
  ])("of %j form the circles %j", (graph, circles) => {
    expect(findCircles(new Map(Object.entries(graph)))).toEqual(circles);
  });
});
