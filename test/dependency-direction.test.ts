import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * The layers, each with the layers that its files may import besides their own and packages. A file belongs to the layer with the longest
 * folder that contains it.
 */
const layers: Readonly<Record<string, readonly string[]>> = {
  "src/base": [],
  generated: [],
  "src/contract": ["src/base", "generated"],
  src: ["src/contract", "src/base", "generated"],
  "src/cli": ["src", "src/contract", "src/base", "generated"],
  "openapi/checks": ["src", "src/contract", "src/base", "generated"],
  reference: ["src", "src/contract", "src/base", "generated"],
  "reference/cli": ["reference", "src", "src/cli", "src/base", "generated"],
  site: ["src", "src/contract", "src/base", "generated"],
  scripts: ["site", "reference", "src", "src/cli", "src/contract", "src/base", "generated"],
  test: [
    "scripts",
    "site",
    "openapi/checks",
    "reference",
    "reference/cli",
    "src",
    "src/cli",
    "src/contract",
    "src/base",
    "generated",
  ],
};

function layerOf(path: string): string | undefined {
  const matches = Object.keys(layers).filter((layer) => path.startsWith(`${layer}/`));
  return matches.sort((a, b) => b.length - a.length)[0];
}

function mayImport(file: string, target: string): boolean {
  const [from, to] = [layerOf(file), layerOf(target)];
  return from !== undefined && to !== undefined && (from === to || (layers[from] ?? []).includes(to));
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
  const files = new Set(Object.keys(layers).flatMap(sourceFiles));
  const sourceOf = (target: string) => (files.has(target) ? target : target.replace(/js$/, "ts"));
  return new Map([...files].map((file) => [file, localImports(file).map(sourceOf)]));
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
  it.each(Object.keys(layers))("holds in every file of %s", (layer) => {
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
    ["src/listen.ts", "generated/chat/operations.ts"],
    ["src/verify/index.ts", "src/contract/rest/cases.ts"],
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
    ["src/mock/index.ts", "src/cli/run-cli.ts"],
    ["src/cli/run-cli.ts", "reference/cli/serve.ts"],
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
