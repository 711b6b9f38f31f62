import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What the files of a folder may import, besides packages and the folder itself. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "src/contract": [],
  src: ["generated"],
  generated: [],
  scripts: ["src", "generated"],
  reference: ["src", "generated"],
};

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|js)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function localImports(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, specifier = ""]) => specifier);
  return specifiers.map((specifier) => relative(root, resolve(root, dirname(file), specifier)));
}

function forbiddenImports(folder: string): string[] {
  const mayImport = [folder, ...(allowed[folder] ?? [])];
  return sourceFiles(folder).flatMap((file) =>
    localImports(file)
      .filter(
        (target) =>
          !mayImport.some(
            (place) => target === place || target.startsWith(`${place}/`) || target.startsWith(`${place}.`),
          ),
      )
      .map((target) => `${file} imports ${target}`),
  );
}

describe("dependencies point one way", () => {
  const folders = readdirSync(root);
  it.each(Object.keys(allowed).filter((folder) => folders.includes(folder.split("/")[0] ?? "")))(
    "from %s",
    (folder) => {
      expect(sourceFiles(folder).length).toBeGreaterThan(0);
      expect(forbiddenImports(folder)).toEqual([]);
    },
  );

  it("sees an import that points the wrong way", () => {
    expect(localImports("scripts/generate.ts").length + localImports("src/chat/index.ts").length).toBeGreaterThan(0);
    expect(localImports("src/chat/supports.ts")).toContain("generated/chat/feature-levels.js");
  });
});
