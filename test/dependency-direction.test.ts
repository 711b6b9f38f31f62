import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What the files of a folder may import, besides packages and the folder itself. A folder within another has its own rules. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "src/contract": [],
  "src/cli": ["src", "reference", "generated"],
  src: ["generated"],
  generated: [],
  scripts: ["src", "reference", "generated", "test/faults"],
  reference: ["src", "generated"],
};

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|js)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function localImports(file: string, text = readFileSync(join(root, file), "utf8")): string[] {
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, specifier = ""]) => specifier);
  return specifiers.map((specifier) => relative(root, resolve(root, dirname(file), specifier)));
}

function isIn(place: string, path: string): boolean {
  return path === place || path.startsWith(`${place}/`) || path.startsWith(`${place}.`);
}

/** Whether a file of a folder may import a target. The command line stands on top of the library and the reference. */
function mayImport(folder: string, target: string): boolean {
  if (folder !== "src/cli" && folder !== "scripts" && isIn("src/cli", target)) return false;
  return [folder, ...(allowed[folder] ?? [])].some((place) => isIn(place, target));
}

function forbiddenImports(folder: string): string[] {
  return sourceFiles(folder)
    .filter((file) => folder === "src/cli" || !isIn("src/cli", file))
    .flatMap((file) =>
      localImports(file)
        .filter((target) => !mayImport(folder, target))
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

  it.each([
    ["src", "reference/chat/services.ts", false],
    ["src", "src/cli/run-cli.ts", false],
    ["src", "src/listen.ts", true],
    ["reference", "src/cli/run-cli.ts", false],
    ["src/cli", "reference/chat/services.ts", true],
    ["src/cli", "src/cli/run-cli.ts", true],
    ["src/cli", "scripts/build.ts", false],
    ["scripts", "src/cli/until-stopped.ts", true],
    ["src/contract", "src/chat/index.ts", false],
  ])("says whether %s may import %s", (folder, target, want) => {
    expect(mayImport(folder, target)).toBe(want);
  });

  it.each([
    'import { a } from "../../reference/chat/services.js";',
    'import type { A } from "../../reference/chat/services.js";',
    'export { a } from "../../reference/chat/services.js";',
    'import "../../reference/chat/services.js";',
    'const a = await import("../../reference/chat/services.js");',
    'import {\n  a,\n  b,\n} from "../../reference/chat/services.js";',
  ])("sees an import that points the wrong way: %s", (text) => {
    const targets = localImports("src/chat/index.ts", text);
    expect(targets).toEqual(["reference/chat/services.js"]);
    expect(targets.some((target) => mayImport("src", target))).toBe(false);
  });
});
